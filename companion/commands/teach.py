"""`companion teach`: a die with any faces, shown to the camera or in pictures."""

import argparse
import time
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path

from companion import troubles
from companion.commands.eye import dicebox
from companion.config import Settings, config_dir, data_dir, load_all, with_camera
from companion.dicebox import NAME, DiceBox, Lessons
from companion.eye.network import Found, Image, distinct
from companion.eye.taught import ALIKE, Taught, most_alike
from companion.eye.taught import teach as learn
from companion.eye.teaching import SEEN, Teacher
from companion.eye.words import HINTS
from companion.language import Message, Texts, ToldError, mark
from companion.screens.die_kinds import ENOUGH, MOST, of_games, own_dice
from companion.tray.markers import seek
from companion.tray.region import Tray
from hardware.camera import Camera, CameraState, Lock, PictureError, decode

OVER = mark("The video is over, but not all faces were seen; another one, without --anew, goes on there.")
STUCK = mark("Nothing new was to be seen for a minute; the same command without --anew goes on there. {why}")
PATIENCE = 60.0  # seconds without any progress after which it is given up
FLOWS = (CameraState.LIVE, CameraState.SEARCHING, CameraState.DARK, CameraState.LOST)
# people can mend that of what is no file
PASSES = (*FLOWS, CameraState.MISSING, CameraState.BUSY, CameraState.UNREADABLE)


def teach(options: argparse.Namespace, texts: Texts) -> int:
    """Teach a die. Raises `ToldError` if that is not possible: then no die is known, but a camera need
    not be shown again the faces that it has seen.
    """
    box = dicebox()
    try:
        faces = _faces(options.name, options.faces)
        _see_that_it_may_be(box, options.name, faces)
        box.prepare(len(faces))
        if options.pictures:
            taught = _pictures(options.name, faces, options.pictures)
        else:
            settings = load_all(config_dir(), data_dir()).settings
            camera = options.camera or settings.camera
            settings = with_camera(settings, data_dir(), camera)  # another one sees the tray elsewhere
            named = options.camera is not None
            begun = None if options.anew else box.lessons.get(options.name)
            teacher = Teacher(options.name, faces, begun)
            if before := [face for number, face in enumerate(faces) if teacher.known(number)]:
                text = mark("Shown before: {faces}. With --anew every face is asked for.")
                print(texts(text, faces=texts.listed(before)), flush=True)
            taught = _camera(teacher, box.lessons, camera, settings, texts, named)
        box.keep(taught)
    except BrokenPipeError:  # nobody reads what is to be shown next
        raise
    except OSError as error:
        raise ToldError(troubles.not_kept(error, box.folder)) from error
    print(texts("{name} is known now: {faces}", name=options.name, faces=texts.listed(faces)))
    if other := box.same_as(taught):
        print(texts("{other} has the same faces: one of the two is enough, else I have to ask.", other=other))
    return 0


def _faces(name: str, given: str) -> list[str]:
    faces = [face.strip() for face in given.split(",")]
    if not NAME.fullmatch(name):
        raise ToldError(troubles.no_name(name))
    if wrong := [face for face in faces if not NAME.fullmatch(face)]:
        text = mark("A face has a name of letters, digits and dashes, 60 at most, not '{face}'")
        raise ToldError(Message(text, {"face": wrong[0]}))
    if len(set(faces)) < 2:
        raise ToldError(Message(mark("Name at least two different faces: --faces bomb,heart,gift")))
    if twice := [face for face in faces if faces.count(face) > 1]:
        text = mark("'{face}' stands there twice: give each face a name of its own")
        raise ToldError(Message(text, {"face": twice[0]}))
    return faces


def _see_that_it_may_be(box: DiceBox, name: str, faces: Sequence[str]) -> None:
    """A die of that name, if there is one, has these faces; else there may be one more. Raises
    `ToldError`.
    """
    game = next((kind for kind in of_games() if kind.name == name), None)
    known = box.get(name)
    if not game and name not in box.names() and len(own_dice(box)) >= MOST:
        why = Message(ENOUGH, {"count": MOST})
        raise ToldError(Message(mark("{why} On the screen: settings, “Teach dice”."), {"why": why}))
    if game and set(faces) != set(dict(game.faces)):
        text = mark("{name} is the die of a game: --faces {faces}")
        raise ToldError(Message(text, {"name": name, "faces": ",".join(dict(game.faces))}))
    if known and set(faces) != set(known.faces):
        text = mark("{name} is known already, with other faces ({faces}): take another name, or those faces")
        raise ToldError(Message(text, {"name": name, "faces": ",".join(known.faces)}))


# from pictures


def _pictures(name: str, faces: Sequence[str], folder: Path) -> Taught:
    """From pictures that each show one die."""
    try:
        pictures = sorted(folder.iterdir())
    except (FileNotFoundError, NotADirectoryError) as error:
        raise ToldError(Message(mark("There is no folder {folder}"), {"folder": folder})) from error
    except OSError as error:
        raise ToldError(troubles.unread(folder, error)) from error
    shown = []
    for number, face in enumerate(faces):
        files = [file for file in pictures if file.stem.rpartition("-")[0] == face]
        if not files:
            fields = {"face": face, "folder": folder}
            raise ToldError(Message(mark("There is no picture {face}-1 in {folder}"), fields))
        for file in files:
            frame, die = _one_die(file)
            shown.append((number, frame, die.centre, die.size))
    taught = learn(name, faces, shown)
    one, other, far = most_alike(taught)
    if far < ALIKE:
        text = mark("{one} and {other} look alike: each picture has to show the face that it is named after")
        raise ToldError(Message(text, {"one": one, "other": other}))
    return taught


def _one_die(file: Path) -> tuple[Image, Found]:
    """A picture, and the only die in it."""
    try:
        frame = decode(file)
    except PictureError as error:
        raise ToldError(troubles.picture_file(file, error.kind.name)) from error
    found = distinct(seek(frame))
    dice = [die for die in found if die.sure >= SEEN] or found[:1]
    if not dice:
        raise ToldError(Message(mark("{file}: no die is to be seen"), {"file": file}))
    if len(dice) > 1:
        text = mark("{file}: several dice are to be seen, and only the one that is taught may be")
        raise ToldError(Message(text, {"file": file}))
    return frame, dice[0]


# from the camera


def _camera(
    teacher: Teacher, lessons: Lessons, setting: str, measured: Settings, texts: Texts, named: bool
) -> Taught:
    """From the camera: each face that is missing is asked for, and what is wrong is said as soon as it is.
    Where the tray lies in its pictures, and what it holds, is `measured`; the command line may have `named`
    it.
    """
    said = ""
    tray, lock = Tray.of(measured.tray), Lock.saved(measured.lock)
    mends = FLOWS if troubles.is_file(setting) else PASSES
    with Camera(setting, lock=lock) as camera:
        face = teacher.progress.face
        for words in _lesson(camera, teacher, tray, mends, named):
            if teacher.progress.face != face:
                face = teacher.progress.face
                lessons.keep(teacher.taught())
            if (now := texts.say(words)) != said:
                print(now, flush=True)
                said = now
    return teacher.taught()


def _lesson(
    camera: Camera, teacher: Teacher, tray: Tray | None, mends: Collection[CameraState], named: bool
) -> Iterator[Message]:
    """What to say while all faces are shown. Raises `ToldError` if nothing new comes for long, or if
    the camera is in a state that nobody `mends`.
    """
    number, last, asked, known = 0, time.monotonic(), -1, -1.0
    words = _hint(teacher)
    while not teacher.done:
        picture, status = camera.wait(number, 0.25), camera.status
        trouble = troubles.camera(status.kind.name, status.source, named)
        if picture is not None:
            number = picture.number
            if teacher.progress.face != asked:
                asked = teacher.progress.face
                text = mark("Show {face}, and turn it a little now and then.")
                words = Message(text, {"face": teacher.faces[asked]})
                yield words
            teacher.see(picture.image, seek(picture.image, tray), picture.at)
            if not teacher.progress.just_begun:
                words = _hint(teacher)
        elif status.kind is CameraState.ENDED:
            raise ToldError(Message(OVER))
        elif trouble and status.kind not in mends:
            gone = status.kind is CameraState.MISSING  # and nobody waits for it here
            raise ToldError(troubles.picture_file(Path(status.source), "MISSING") if gone else trouble)
        words = trouble or words
        yield words
        progress = teacher.progress.face + teacher.progress.part
        if progress > known:
            last, known = time.monotonic(), progress
        elif time.monotonic() - last > PATIENCE:
            raise ToldError(Message(STUCK, {"why": words}))


def _hint(teacher: Teacher) -> Message:
    """What is right or wrong with what is being shown."""
    progress = teacher.progress
    like = {} if progress.like is None else {"face": teacher.faces[progress.like]}
    return Message(HINTS[progress.hint], like)
