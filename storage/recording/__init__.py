"""The writing half: an agent records its session, and resumes it after a crash.

    with EnvelopeRecorder("sessions/shop.jsonl") as recorder:
        recorder.message("user", "Fix the checkout.")

`sessions` lists the transcripts in `projects/<workspace>/` of a session directory, and
MyCodeAgent's in `memory/transcripts/` of a project; pass any other file with `--root`. File names
end in `.jsonl`.

This package runs in the agent's own process. `sessions` itself never writes a transcript.
"""

from __future__ import annotations

from ..model.action import Action
from ..model.event import Event
from ..model.memory import MemoryItem, SessionMemory, Source
from ..model.recovery import Message
from .clock import Clock
from .envelope_form import EnvelopeForm
from .envelope_recorder import EnvelopeRecorder
from .errors import CannotContinue, NotKept, RecordingError, RecordRefused, TornTail, Untrusted
from .facts import Fact, OnRecord, Recorder
from .handoff import MemoryCandidate, approved_candidates, reviewed
from .mycodeagent_form import MyCodeAgentForm
from .mycodeagent_recorder import MyCodeAgentRecorder, Status
from .presence import Presence
from .resume import Host, ResumeState, apply_to_host, last_turn, resume
from .running_memory import RunningMemory
from .shards import chain_of
from .sinks import Composite, OnFailure, Sink, TranscriptSink
from .store import Options, Store
from .trace_sink import TraceSink

__all__ = [
    "Action",
    "CannotContinue",
    "Clock",
    "Composite",
    "EnvelopeForm",
    "EnvelopeRecorder",
    "Event",
    "Fact",
    "Host",
    "MemoryCandidate",
    "MemoryItem",
    "Message",
    "MyCodeAgentForm",
    "MyCodeAgentRecorder",
    "NotKept",
    "OnFailure",
    "OnRecord",
    "Options",
    "Presence",
    "RecordRefused",
    "Recorder",
    "RecordingError",
    "ResumeState",
    "RunningMemory",
    "SessionMemory",
    "Sink",
    "Source",
    "Status",
    "Store",
    "TornTail",
    "TraceSink",
    "TranscriptSink",
    "Untrusted",
    "apply_to_host",
    "approved_candidates",
    "chain_of",
    "last_turn",
    "resume",
    "reviewed",
]
