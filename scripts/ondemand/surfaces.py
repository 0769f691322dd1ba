"""A scene for ParaView: surfaces of equal value in a field.

    apptainer run visual.sif --script=surfaces.py                           # in a window
    apptainer exec visual.sif headless pvbatch surfaces.py surfaces.png 30  # into a file

The number turns it, in degrees.
"""

import sys

from paraview import simple as pv


def draw(turn: float = 0.0):
    """Show the surfaces in the active view, turned by ``turn`` degrees; returns the view."""
    # Stands for a file of yours: pv.OpenDataFile("result.vtu")
    field = pv.Wavelet(WholeExtent=[-25, 25] * 3)
    surfaces = pv.Contour(Input=field, ContourBy=["POINTS", "RTData"])
    surfaces.Isosurfaces = [90.0, 150.0, 220.0]
    view = pv.GetActiveViewOrCreate("RenderView")
    view.UseColorPaletteForBackground = 0
    view.Background = [1.0, 1.0, 1.0]
    shown = pv.Show(surfaces, view)
    pv.ColorBy(shown, ("POINTS", "RTData"))
    colors = pv.GetColorTransferFunction("RTData")
    colors.ApplyPreset("Plasma (matplotlib)", True)
    pv.ResetCamera(view)
    view.GetActiveCamera().Azimuth(turn)
    view.GetActiveCamera().Elevation(20)
    pv.Render(view)
    return view


if __name__ == "__main__":
    picture, turn = [*sys.argv[1:], "", ""][:2]
    view = draw(float(turn or 0))
    if picture:
        pv.SaveScreenshot(picture, view, ImageResolution=[640, 480])
        version, drawn_by = pv.GetParaViewVersion(), pv.GetOpenGLInformation().GetRenderer()
        print(f"{picture}: ParaView {version.major}.{version.minor}, {drawn_by}")
