"""The writing half: an agent records its session, and comes back from it after a crash.

    with EnvelopeRecorder("sessions/shop.jsonl") as recorder:
        recorder.message("user", "Fix the checkout.")

`sessions` lists what lies in `projects/<workspace>/` of a home that is a root, MyCodeAgent's in
`memory/transcripts/` of a project; any other file it is shown with `--root`. Names end in `.jsonl`.

Everything here is for the agent's own process. `sessions` itself never writes a transcript.
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
