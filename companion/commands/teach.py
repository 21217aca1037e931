"""`companion teach`: a die with any faces, shown to the camera or in pictures."""

import argparse
import sys
import time
from collections.abc import Iterator, Sequence

from companion import troubles
from companion.commands.eye import dicebox
from companion.config import ConfigError, config_dir, data_dir, load_all
from companion.dicebox import NAME
from companion.eye.network import find
from companion.eye.taught import Taught
from companion.eye.taught import teach as learn
from companion.eye.teaching import Progress, Teacher
from companion.language import Message, Texts, mark, verbatim
from hardware.camera import Camera, CameraState, PictureError, decode

PATIENCE = 60.0  # seconds without any progress after which it is given up


class UnteachableError(Exception):
    """Why a die cannot be taught."""

    def __init__(self, message: Message) -> None:
        super().__init__(message.text)
        self.message = message


def teach(options: argparse.Namespace, texts: Texts) -> int:
    """Teach a die; 2 if that is not possible, and then nothing is kept."""
    try:
        faces = _faces(options.name, options.faces)
        taught = _pictures(options, faces) if options.pictures else _camera(options, faces, texts)
        dicebox().keep(taught)
    except UnteachableError as error:
        print(texts.say(error.message), file=sys.stderr)
        return 2
    except PictureError as error:
        print(texts.say(troubles.picture(error.kind.name)), file=sys.stderr)
        return 2
    except OSError as error:
        print(texts.say(troubles.teaching(error.strerror or str(error))), file=sys.stderr)
        return 2
    print(texts("{name} is known now: {faces}", name=options.name, faces=texts.listed(faces)))
    return 0


def _faces(name: str, given: str) -> list[str]:
    faces = [face.strip() for face in given.split(",")]
    if not NAME.fullmatch(name):
        raise UnteachableError(
            Message(mark("A name has letters, digits and dashes, not '{name}'"), {"name": name})
        )
    if len(faces) < 2 or len(set(faces)) != len(faces) or not all(map(NAME.fullmatch, faces)):
        raise UnteachableError(Message(mark("Name at least two different faces: --faces bomb,heart,gift")))
    return faces


def _pictures(options: argparse.Namespace, faces: Sequence[str]) -> Taught:
    """From pictures that each show one die."""
    shown = []
    for number, face in enumerate(faces):
        files = sorted(file for file in options.pictures.iterdir() if file.stem.rpartition("-")[0] == face)
        if not files:
            fields = {"face": face, "folder": options.pictures}
            raise UnteachableError(Message(mark("There is no picture {face}-1 in {folder}"), fields))
        for file in files:
            frame = decode(file)
            dice = find(frame)
            if not dice:
                raise UnteachableError(Message(mark("{file}: no die is to be seen"), {"file": file}))
            shown.append((number, frame, dice[0].centre, dice[0].size))
    return learn(options.name, faces, shown)


def _camera(options: argparse.Namespace, faces: Sequence[str], texts: Texts) -> Taught:
    """From the camera: each face is asked for."""
    try:
        setting = options.camera or load_all(config_dir(), data_dir()).settings.camera
    except ConfigError as error:
        raise UnteachableError(verbatim(error.problems[0].say(texts))) from error
    teacher = Teacher(options.name, faces)
    camera = Camera(setting)
    try:
        shown = -1
        for progress in _watched(camera, teacher):
            if teacher.done:
                break
            if progress.face != shown:
                shown = progress.face
                print(texts("Show {face}, and turn it a little now and then.", face=faces[shown]), flush=True)
    finally:
        camera.close()
    return teacher.taught()


def _watched(camera: Camera, teacher: Teacher) -> Iterator[Progress]:
    """What is known after each picture. Raises `UnteachableError` if nothing comes for long."""
    number, last, known = 0, time.monotonic(), -1.0
    while True:
        picture, status = camera.wait(number, 0.25), camera.status
        if picture is not None:
            number = picture.number
            yield teacher.see(picture.image, find(picture.image), picture.at)
        elif status.kind in (CameraState.MISSING, CameraState.LOST, CameraState.ENDED):
            why = troubles.camera(status.kind.name, status.source)
            raise UnteachableError(why or Message(mark("The video is over; not all faces were to be seen.")))
        progress = teacher.progress.face + teacher.progress.part
        if progress > known:
            last, known = time.monotonic(), progress
        elif time.monotonic() - last > PATIENCE:
            raise UnteachableError(
                Message(mark("Nothing new was to be seen for a minute. Nothing was kept."))
            )
