"""A cube drawn with OpenGL, to see which renderer is at work: in a window, or off screen into a picture.

    python3 scripts/ondemand/cube.py                       # arrow keys turn it, q ends
    python3 scripts/ondemand/cube.py --picture cube.png    # without any screen, through EGL

It needs no packages of Python: it calls the system's libGL, libX11 and libEGL.
"""

import argparse
import ctypes
import os
import struct
import sys
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from ctypes import POINTER, byref, c_char_p, c_double, c_float, c_int, c_long, c_ubyte, c_uint, c_ulong, c_void_p
from pathlib import Path

# From the headers GL/gl.h, GL/glx.h, X11/X.h, X11/keysym.h, EGL/egl.h, EGL/eglext.h.
GL_RENDERER, GL_COLOR_AND_DEPTH, GL_DEPTH_TEST, GL_QUADS = 0x1F01, 0x4100, 0x0B71, 0x0007
GL_MODELVIEW, GL_PROJECTION, GL_RGB, GL_UNSIGNED_BYTE, GL_PACK_ALIGNMENT = 0x1700, 0x1701, 0x1907, 0x1401, 0x0D05
GLX_RGBA, GLX_DOUBLEBUFFER, GLX_DEPTH_SIZE = 4, 5, 12
KEY_PRESS, EXPOSE, CONFIGURE_NOTIFY = 2, 12, 22
KEY_PRESS_MASK, EXPOSURE_MASK, STRUCTURE_NOTIFY_MASK = 1 << 0, 1 << 15, 1 << 17
XK_LEFT, XK_UP, XK_RIGHT, XK_DOWN = 0xFF51, 0xFF52, 0xFF53, 0xFF54
EGL_SURFACELESS_MESA, EGL_DEVICE_EXT, EGL_OPENGL_API = 0x31DD, 0x313F, 0x30A2
EGL_CONFIG = (0x3033, 0x0001, 0x3040, 0x0008, 0x3025, 24, 0x3024, 8, 0x3023, 8, 0x3022, 8, 0x3038)
EGL_WIDTH, EGL_HEIGHT, EGL_NONE = 0x3057, 0x3056, 0x3038

# One color a side (red, green, blue) and its four corners.
SIDES = (
    ((0.90, 0.20, 0.20), ((-1, -1, 1), (1, -1, 1), (1, 1, 1), (-1, 1, 1))),
    ((0.20, 0.70, 0.30), ((1, -1, -1), (-1, -1, -1), (-1, 1, -1), (1, 1, -1))),
    ((0.20, 0.40, 0.90), ((1, -1, 1), (1, -1, -1), (1, 1, -1), (1, 1, 1))),
    ((0.95, 0.80, 0.20), ((-1, -1, -1), (-1, -1, 1), (-1, 1, 1), (-1, 1, -1))),
    ((0.70, 0.30, 0.80), ((-1, 1, 1), (1, 1, 1), (1, 1, -1), (-1, 1, -1))),
    ((0.20, 0.75, 0.80), ((-1, -1, -1), (1, -1, -1), (1, -1, 1), (-1, -1, 1))),
)


def library(name: str, **functions: tuple) -> ctypes.CDLL:
    """The system's shared library ``name`` with its functions' types: name=(result, argument, ...)."""
    try:
        loaded = ctypes.CDLL(name)
    except OSError as error:
        sys.exit(f"{error}\nDebian has it in libgl1, libx11-6 or libegl1; a container needs its own.")
    for function, (result, *arguments) in functions.items():
        getattr(loaded, function).restype = result
        getattr(loaded, function).argtypes = arguments
    return loaded


def opengl() -> str:
    """The library with OpenGL's functions: one that needs no X11, as on nodes without a screen, or the usual one."""
    try:
        ctypes.CDLL("libOpenGL.so.0")
    except OSError:
        return "libGL.so.1"
    return "libOpenGL.so.0"


GL = library(
    opengl(),
    glFrustum=(None, *[c_double] * 6),
    glRotatef=(None, *[c_float] * 4),
    glTranslatef=(None, *[c_float] * 3),
    glColor3f=(None, *[c_float] * 3),
    glVertex3f=(None, *[c_float] * 3),
    glClearColor=(None, *[c_float] * 4),
    glGetString=(c_char_p, c_uint),
)


def look(width: int, height: int, turn: float, tilt: float) -> None:
    """Empty the picture of ``width`` x ``height`` pixels, and stand before what is turned and tilted by degrees."""
    GL.glViewport(0, 0, width, height)
    GL.glMatrixMode(GL_PROJECTION)
    GL.glLoadIdentity()
    GL.glFrustum(-width / height, width / height, -1, 1, 3, 20)
    GL.glMatrixMode(GL_MODELVIEW)
    GL.glLoadIdentity()
    GL.glTranslatef(0, 0, -6)
    GL.glRotatef(tilt, 1, 0, 0)
    GL.glRotatef(turn, 0, 1, 0)
    GL.glClearColor(0.1, 0.1, 0.1, 1)
    GL.glClear(GL_COLOR_AND_DEPTH)
    GL.glEnable(GL_DEPTH_TEST)


def draw(width: int, height: int, turn: float, tilt: float) -> None:
    """Draw the cube, ``turn`` and ``tilt`` in degrees, into ``width`` x ``height`` pixels."""
    look(width, height, turn, tilt)
    GL.glBegin(GL_QUADS)
    for color, corners in SIDES:
        GL.glColor3f(*color)
        for corner in corners:
            GL.glVertex3f(*corner)
    GL.glEnd()
    GL.glFinish()


def renderer() -> str:
    """Who draws: llvmpipe is Mesa on the cores."""
    return GL.glGetString(GL_RENDERER).decode()


def show(width: int, height: int) -> None:
    """Draw in a window until somebody presses q; draws only when something changed."""
    x11 = library(
        "libX11.so.6",
        XOpenDisplay=(c_void_p, c_char_p),
        XDefaultRootWindow=(c_ulong, c_void_p),
        XCreateSimpleWindow=(c_ulong, c_void_p, c_ulong, c_int, c_int, *[c_uint] * 3, c_ulong, c_ulong),
        XStoreName=(c_int, c_void_p, c_ulong, c_char_p),
        XSelectInput=(c_int, c_void_p, c_ulong, c_long),
        XMapWindow=(c_int, c_void_p, c_ulong),
        XNextEvent=(c_int, c_void_p, c_void_p),
        XPending=(c_int, c_void_p),
        XLookupKeysym=(c_ulong, c_void_p, c_int),
        XGetGeometry=(c_int, c_void_p, c_ulong, *[c_void_p] * 7),
        XDefaultScreen=(c_int, c_void_p),
    )
    glx = library(
        "libGL.so.1",
        glXChooseVisual=(c_void_p, c_void_p, c_int, POINTER(c_int)),
        glXCreateContext=(c_void_p, c_void_p, c_void_p, c_void_p, c_int),
        glXMakeCurrent=(c_int, c_void_p, c_ulong, c_void_p),
        glXSwapBuffers=(None, c_void_p, c_ulong),
    )
    display = x11.XOpenDisplay(None)
    if not display:
        sys.exit(f"no display {os.environ.get('DISPLAY', '(DISPLAY is not set)')}: start this on a desktop")
    visual = glx.glXChooseVisual(
        display, x11.XDefaultScreen(display), (c_int * 5)(GLX_RGBA, GLX_DOUBLEBUFFER, GLX_DEPTH_SIZE, 16, 0)
    )
    if not visual:
        sys.exit("this display has no OpenGL (GLX) with two buffers and depth")
    window = x11.XCreateSimpleWindow(display, x11.XDefaultRootWindow(display), 0, 0, width, height, 0, 0, 0)
    x11.XStoreName(display, window, b"cube")
    x11.XSelectInput(display, window, KEY_PRESS_MASK | EXPOSURE_MASK | STRUCTURE_NOTIFY_MASK)
    x11.XMapWindow(display, window)
    glx.glXMakeCurrent(display, window, glx.glXCreateContext(display, visual, None, True))
    print(f"OpenGL renderer: {renderer()}", flush=True)
    turn, tilt = 30.0, 25.0
    event = (c_long * 24)()  # an XEvent is as long as 24 of C's long, and begins with its type, an int
    while True:
        x11.XNextEvent(display, event)
        if c_int.from_buffer(event).value == KEY_PRESS:
            key = x11.XLookupKeysym(event, 0)
            if key == ord("q"):
                return
            turn += 15 * ((key == XK_RIGHT) - (key == XK_LEFT))
            tilt += 15 * ((key == XK_DOWN) - (key == XK_UP))
        if x11.XPending(display) == 0:
            place = [c_ulong(), c_int(), c_int(), c_uint(), c_uint(), c_uint(), c_uint()]
            x11.XGetGeometry(display, window, *map(byref, place))
            draw(place[3].value, place[4].value, turn, tilt)
            glx.glXSwapBuffers(display, window)


def displays(egl: ctypes.CDLL) -> Iterator[int]:
    """Displays of EGL that need no screen: one a device that it knows, GPUs first, and last Mesa without a device."""
    devices, count = (c_void_p * 32)(), c_int()
    query = egl.eglGetProcAddress(b"eglQueryDevicesEXT")
    ask = ctypes.CFUNCTYPE(c_uint, c_int, POINTER(c_void_p), POINTER(c_int))
    if query and not os.environ.get("LIBGL_ALWAYS_SOFTWARE") and ask(query)(32, devices, byref(count)):
        for device in devices[: count.value]:
            yield egl.eglGetPlatformDisplay(EGL_DEVICE_EXT, device, None)
    yield egl.eglGetPlatformDisplay(EGL_SURFACELESS_MESA, None, None)


@contextmanager
def off_screen(width: int, height: int) -> Iterator[None]:
    """A place to draw that needs no display: a buffer of EGL, on the first GPU or, without one, on the cores.

    With LIBGL_ALWAYS_SOFTWARE=1 (Mesa's own variable) in the environment it is on the cores.
    """
    egl = library(
        "libEGL.so.1",
        eglGetProcAddress=(c_void_p, c_char_p),
        eglGetPlatformDisplay=(c_void_p, c_uint, c_void_p, c_void_p),
        eglInitialize=(c_uint, c_void_p, c_void_p, c_void_p),
        eglChooseConfig=(c_uint, c_void_p, POINTER(c_int), c_void_p, c_int, POINTER(c_int)),
        eglCreatePbufferSurface=(c_void_p, c_void_p, c_void_p, POINTER(c_int)),
        eglCreateContext=(c_void_p, *[c_void_p] * 4),
        eglMakeCurrent=(c_uint, *[c_void_p] * 4),
        eglTerminate=(c_uint, c_void_p),
    )
    display = next((one for one in displays(egl) if egl.eglInitialize(one, None, None)), None)
    if not display:
        sys.exit("EGL cannot draw here: is a driver installed (Debian: libegl-mesa0), and does the job have its GPU?")
    config, found = c_void_p(), c_int()
    egl.eglBindAPI(EGL_OPENGL_API)
    egl.eglChooseConfig(display, (c_int * len(EGL_CONFIG))(*EGL_CONFIG), byref(config), 1, byref(found))
    surface = egl.eglCreatePbufferSurface(display, config, (c_int * 5)(EGL_WIDTH, width, EGL_HEIGHT, height, EGL_NONE))
    context = egl.eglCreateContext(display, config, None, None)
    if not egl.eglMakeCurrent(display, surface, surface, context):
        sys.exit("EGL has no place to draw")
    try:
        yield
    finally:
        egl.eglTerminate(display)


def pixels(width: int, height: int) -> bytes:
    """What was drawn: three bytes a pixel, the lowest row first."""
    buffer = (c_ubyte * (width * height * 3))()
    GL.glPixelStorei(GL_PACK_ALIGNMENT, 1)
    GL.glReadPixels(0, 0, width, height, GL_RGB, GL_UNSIGNED_BYTE, buffer)
    return bytes(buffer)


def png(width: int, height: int, rows: bytes) -> bytes:
    """A PNG file of ``rows`` as ``pixels`` gives them."""

    def chunk(kind: bytes, content: bytes) -> bytes:
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))

    step = width * 3
    lines = b"".join(b"\0" + rows[start : start + step] for start in range(len(rows) - step, -1, -step))
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(lines)) + chunk(b"IEND", b"")


def main() -> None:
    """Read the arguments and draw."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--size", default="480x360", help="WIDTHxHEIGHT in pixels")
    parser.add_argument("--picture", type=Path, metavar="FILE", help="draw one PNG file, off screen")
    parser.add_argument("--turn", type=float, default=30.0, help="degrees, for --picture")
    arguments = parser.parse_args()
    width, height = map(int, arguments.size.split("x"))
    if not arguments.picture:
        show(width, height)
        return
    with off_screen(width, height):
        print(f"OpenGL renderer: {renderer()}")
        draw(width, height, arguments.turn, 25.0)
        arguments.picture.write_bytes(png(width, height, pixels(width, height)))


if __name__ == "__main__":
    main()
