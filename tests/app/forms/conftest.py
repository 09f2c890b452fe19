"""What tests of the forms share with those of the widgets: frames, snapshots, hostile text, UTC."""

from __future__ import annotations

from ...widgets.conftest import _utc as _utc
from ...widgets.conftest import frame as frame
from ...widgets.conftest import hostile as hostile
from ...widgets.conftest import now as now
from ...widgets.conftest import snapshot as snapshot
