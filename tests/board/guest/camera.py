"""What stands before the camera: camera.py WIDTH HEIGHT shows /run/scene (YUYV) ten times a second.

The structure is v4l2_format of <linux/videodev2.h>.
"""

import fcntl
import os
import struct
import subprocess
import sys
import time
from pathlib import Path

SCENE = Path("/run/scene")
OUTPUT, YUYV, NO_FIELD, SRGB = 2, int.from_bytes(b"YUYV", "little"), 1, 8
SET_FORMAT = 0xC0D05605

wide, high = (int(word) for word in sys.argv[1:])
device = os.open("/dev/video0", os.O_RDWR)
asked = struct.pack("<II7I", OUTPUT, 0, wide, high, YUYV, NO_FIELD, 2 * wide, 2 * wide * high, SRGB)
fcntl.ioctl(device, SET_FORMAT, asked.ljust(208, b"\0"))
subprocess.run(["v4l2-ctl", "-d", "/dev/video0", "-c", "keep_format=1"], check=True)  # for everybody
os.write(device, SCENE.read_bytes())
subprocess.run(["systemd-notify", "--ready"], check=True)
while True:
    time.sleep(0.1)
    os.write(device, SCENE.read_bytes())
