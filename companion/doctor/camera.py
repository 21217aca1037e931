"""Checks of the camera: is it there, how many pictures come, are they good, and is the tray in them?"""

from collections.abc import Sequence

from companion import troubles
from companion.doctor.findings import Finding, bad, ok, warn
from companion.language import Message, mark
from companion.tray.drift import Drift, Grey, compare, covered, small
from companion.tray.light import Flaw, Kind, blur
from companion.tray.region import Image, Tray
from companion.tray.words import DRIFTS, FLAWS, WELL

SLOW = 8.0  # pictures a second; with fewer it takes long until a throw is told
NAMES: dict[Kind, str] = {
    Kind.DARK: "exposure",
    Kind.BRIGHT: "exposure",
    Kind.GLARE: "glare",
    Kind.SHADOW: "shadow",
    Kind.FLICKER: "flicker",
    Kind.BLUR: "sharpness",
}
CALIBRATE = Message(
    mark("Set it up once: settings, the sign with four corners. Until then the whole picture is read.")
)


TAKEN = ok("camera", Message(mark("The companion that runs has the camera. What it sees is on its screen.")))


def found(kind: str, source: str, detail: str, named: bool = False) -> Finding:
    """Whether pictures come, by the camera's state (the name of a CameraState); the command line may have
    `named` the camera.
    """
    trouble, name = troubles.camera(kind, source, named), troubles.camera_name(source, named)
    if trouble is None:
        shown = Message("{source} {detail}", {"source": name, "detail": detail}) if detail else name
        return ok("camera", Message(mark("The camera is there: {camera}"), {"camera": shown}))
    if kind == "DARK":
        return bad("camera", Message(mark("The camera shows nothing ({source})"), {"source": name}), trouble)
    away = kind in ("SEARCHING", "MISSING") and not troubles.is_file(source)
    if away and (troubles.is_address(source) or troubles.is_csi(source)):
        return warn("camera", trouble, Message(mark("Without it dice can be entered by touch.")))
    if away:
        what = mark("No camera sends pictures ({source}). Dice can be entered by touch.")
        todo = mark("To let dice be read, plug one in, or in again: it is found by itself.")
        return warn("camera", Message(what, {"source": name}), Message(todo))
    return bad(
        "camera", Message(mark("The camera delivers no pictures ({source})"), {"source": name}), trouble
    )


def rate(pictures: int, seconds: float) -> Finding:
    """How many pictures come in a second."""
    pace = pictures / max(1e-3, seconds)
    what = Message(mark("Pictures a second: {rate}"), {"rate": round(pace, 1)})
    if pace >= SLOW:
        return ok("rate", what)
    return warn("rate", what, Message(mark("More light (it exposes long in the dark), or another USB port.")))


def light(flaws: Sequence[Flaw], frame: Image, tray: Tray | None) -> list[Finding]:
    """What the light meter says, one line a subject."""
    wrong = {NAMES[flaw.kind]: flaw.kind for flaw in flaws}
    lines = []
    for name, kind in {NAMES[kind]: kind for kind in reversed(Kind)}.items():
        if name in wrong:
            what, todo = FLAWS[wrong[name]]
            lines.append(warn(name, Message(what), Message(todo)))
        elif kind is Kind.BLUR and blur(frame, tray) is None:
            lines.append(ok(name, Message(mark("Nothing to see by which to tell whether it is sharp"))))
        else:
            lines.append(ok(name, Message(WELL[kind])))
    return lines[::-1]


def tray_in_view(frame: Image, tray: Tray | None, before: Grey | None) -> Finding:
    """Whether the tray lies where it was framed; `before` is the picture of that moment."""
    if tray is None:
        return warn("tray", Message(mark("The tray has not been framed")), CALIBRATE)
    if before is None:
        return warn("tray", Message(mark("The picture of the framed tray is lost")), CALIBRATE)
    now = small(frame)
    if covered(before, now, tray):
        todo = Message(mark("Take away what lies on it, and switch on the light."))
        return warn("tray", Message(mark("The tray is covered, or it is dark")), todo)
    if compare(before, now, tray) is Drift.MOVED:
        return bad("tray", Message(mark("The tray is not where it was")), DRIFTS[Drift.MOVED])
    return ok("tray", Message(mark("The tray is in view")))
