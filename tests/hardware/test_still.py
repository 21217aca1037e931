"""Still pictures of every kind, and what is none."""

import ctypes
import os
import struct
import zlib
from contextlib import suppress
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from hardware.camera import PictureError, PictureProblem, decode, opencv
from hardware.camera.testing import picture, write


def refused(path: Path) -> PictureProblem:
    with pytest.raises(PictureError) as caught:
        decode(path)
    assert path.name in caught.value.detail
    return caught.value.kind


def test_a_colour_picture_is_as_stored(tmp_path: Path) -> None:
    image = np.arange(4 * 5 * 3, dtype=np.uint8).reshape(4, 5, 3)
    assert np.array_equal(decode(write(tmp_path / "a.png", image)), image)


@pytest.mark.parametrize("suffix", ["png", "jpg", "bmp", "tiff", "webp"])
def test_the_usual_formats_are_read(suffix: str, tmp_path: Path) -> None:
    image = decode(write(tmp_path / f"a.{suffix}", picture(90)))
    assert image.shape == (48, 64, 3)
    assert abs(int(image[5, 5, 1]) - 90) < 4


def test_a_grey_picture_has_three_channels(tmp_path: Path) -> None:
    image = decode(write(tmp_path / "grey.png", np.full((3, 4), 77, np.uint8)))
    assert image.shape == (3, 4, 3)
    assert (image == 77).all()


def test_sixteen_bits_become_eight(tmp_path: Path) -> None:
    path = tmp_path / "deep.png"
    assert cv2.imwrite(str(path), np.array([[0, 65535, 257 * 100]], np.uint16))
    assert decode(path)[0, :, 0].tolist() == [0, 255, 100]


def test_floating_point_pictures_are_read_from_0_to_1(tmp_path: Path) -> None:
    path = tmp_path / "float.tiff"
    assert cv2.imwrite(str(path), np.array([[[0, 0, 0], [1, 1, 1], [7, 7, 7]]], np.float32))
    black, white, brighter = decode(path)[0, :, 0].tolist()
    assert (black, brighter) == (0, 255)
    assert white > 248  # OpenCV 4 stores it with some loss


def test_what_is_transparent_is_mid_grey(tmp_path: Path) -> None:
    image = np.zeros((600, 2, 4), np.uint8)
    image[:, 1] = (10, 20, 30, 255)
    image[599, 0] = (255, 255, 255, 128)
    seen = decode(write(tmp_path / "glass.png", image))
    assert seen.shape == (600, 2, 3)
    assert (seen[:599, 0] == 128).all()
    assert (seen[:, 1] == (10, 20, 30)).all()
    assert (seen[599, 0] == 192).all()


def test_one_pixel_is_a_picture(tmp_path: Path) -> None:
    assert decode(write(tmp_path / "dot.png", np.full((1, 1, 3), 9, np.uint8))).tolist() == [[[9, 9, 9]]]


def test_a_very_large_picture_is_read(tmp_path: Path) -> None:
    path = write(tmp_path / "large.jpg", np.full((6000, 8000, 3), 200, np.uint8))
    assert decode(path).shape == (6000, 8000, 3)


# EXIF that says: to be shown turned to the right by a quarter.
TURNED = b"MM\0*\0\0\0\x08\0\x01" + struct.pack(">HHIHH", 0x0112, 3, 1, 6, 0) + bytes(4)


def turned(path: Path, image: NDArray[np.uint8]) -> Path:
    """A JPEG that is to be shown turned to the right by a quarter."""
    jpeg = cv2.imencode(".jpg", image)[1].tobytes()
    exif = b"Exif\0\0" + TURNED
    path.write_bytes(jpeg[:2] + b"\xff\xe1" + struct.pack(">H", len(exif) + 2) + exif + jpeg[2:])
    return path


def test_a_picture_is_read_as_its_camera_was_held(tmp_path: Path) -> None:
    image = picture(50, (64, 16))
    image[:, 32:] = 200
    path = turned(tmp_path / "turned.jpg", image)
    upright = decode(path)
    assert upright.shape == (64, 16, 3)
    assert upright[8, 8].max() < 100 < upright[56, 8].min()


def test_a_png_says_too_how_it_is_held(tmp_path: Path) -> None:
    image = picture(50, (64, 16))
    image[:, 32:] = 200
    png = cv2.imencode(".png", image)[1].tobytes()
    chunk = b"eXIf" + TURNED
    chunk = struct.pack(">I", len(TURNED)) + chunk + struct.pack(">I", zlib.crc32(chunk))
    path = tmp_path / "turned.png"
    path.write_bytes(png[:33] + chunk + png[33:])
    upright = decode(path)
    assert upright.shape == (64, 16, 3)
    assert upright[8, 8].max() < 100 < upright[56, 8].min()


def test_a_file_that_is_huge_is_not_even_read(tmp_path: Path) -> None:
    path = tmp_path / "huge.bin"
    with path.open("wb") as file:
        file.truncate(4 << 30)
    assert refused(path) is PictureProblem.TOO_LARGE


@pytest.mark.parametrize("content", [b"", b"hello", b"\xff\xd8\xff", bytes(5000), b"GIF89a", b"BM123"])
def test_garbage_is_unreadable(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "garbage.jpg"
    path.write_bytes(content)
    assert refused(path) is PictureProblem.UNREADABLE


NOISE = np.random.default_rng(3).integers(0, 256, (64, 64, 3), np.uint8)


@pytest.mark.parametrize("suffix", ["png", "jpg", "jp2"])
def test_a_copy_that_was_cut_off_is_unreadable_and_no_library_speaks_of_it(
    suffix: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / f"torn.{suffix}"
    best = [cv2.IMWRITE_JPEG_QUALITY, 100] if suffix == "jpg" else []
    whole = cv2.imencode(path.name, NOISE, best)[1].tobytes()
    half = whole[: len(whole) // 2]
    for torn in (half, half.ljust(len(whole), b"\0"), half.ljust(9 * len(whole), b"\0")):
        path.write_bytes(torn)
        assert refused(path) is PictureProblem.UNREADABLE
    path.write_bytes(whole + bytes(99))  # what else a camera writes behind it
    assert decode(path).shape == NOISE.shape
    path.write_bytes(whole.replace(whole[-9:-7], b"\xff\xd9"))  # libjpeg warns, and makes up some pixels
    with suppress(PictureError):
        decode(path)
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("suffix", ["bmp", "ppm", "webp"])
def test_a_file_whose_last_pages_never_came_to_the_disk_is_unreadable(suffix: str, tmp_path: Path) -> None:
    """Decoders take the zeros for black; but a picture may be black, too."""
    path = tmp_path / f"torn.{suffix}"
    lossless = [cv2.IMWRITE_WEBP_QUALITY, 101] if suffix == "webp" else []
    whole = cv2.imencode(path.name, NOISE, lossless)[1].tobytes()
    path.write_bytes(whole[:4096].ljust(len(whole), b"\0"))
    assert refused(path) is PictureProblem.UNREADABLE
    black = NOISE.copy()
    black[:24] = black[40:] = 0
    assert (decode(write(path, black)) == black).mean() > 0.7


@pytest.mark.parametrize("way", [cv2.IMWRITE_JPEG_PROGRESSIVE, cv2.IMWRITE_JPEG_RST_INTERVAL])
def test_what_telephones_write_is_whole_unless_it_was_cut_off(way: int, tmp_path: Path) -> None:
    small = cv2.imencode(".jpg", NOISE[:16, :16])[1].tobytes()
    coded = cv2.imencode(".jpg", NOISE, [way, 1])[1].tobytes()
    head = b"\xff\xd8\xff\xe1" + struct.pack(">H", len(small) + 8) + b"Exif\0\0" + small  # a picture in it
    path = tmp_path / "telephone.jpg"
    for behind in (b"", b"\0" * 4096, b"\xff" * 9, small, b"\0\0\0\x18ftypmp42" + NOISE.tobytes()):
        path.write_bytes(head + coded[2:] + behind)
        assert (decode(path) == cv2.imdecode(np.frombuffer(coded, np.uint8), cv2.IMREAD_COLOR)).all()
    path.write_bytes((head + coded[2:])[:-999] + bytes(999))
    assert refused(path) is PictureProblem.UNREADABLE


def test_where_words_cannot_be_thrown_away_they_are_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No file may be open any more; and who prints to none at all ends the program."""
    monkeypatch.setattr(os, "devnull", str(tmp_path / "missing" / "null"))
    opencv.quiet.__wrapped__()
    assert ctypes.c_void_p.in_dll(ctypes.CDLL(None), "stderr").value


def test_what_this_user_may_not_read_is_denied(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def denied(*_: object) -> None:
        raise PermissionError

    path = write(tmp_path / "a.png", picture())
    monkeypatch.setattr(Path, "read_bytes", denied)
    assert refused(path) is PictureProblem.DENIED


def test_what_is_not_there_is_missing_and_a_folder_is_no_picture(tmp_path: Path) -> None:
    assert refused(tmp_path / "nothing.png") is PictureProblem.MISSING
    path = write(tmp_path / "a.png", picture())
    assert refused(path / "below.png") is PictureProblem.MISSING
    assert refused(tmp_path) is PictureProblem.FOLDER
