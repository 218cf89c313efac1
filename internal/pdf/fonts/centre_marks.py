"""Moves the vowel marks of the Arabic and Hebrew subsets over the letter before them.

The layout library draws base and mark one after the other and does not attach the mark (its
own attachment misplaces whole words), so the mark's ink has to lie left of its origin, in the
middle of a letter of usual width.
"""

import sys
import unicodedata

from fontTools.pens.recordingPen import DecomposingRecordingPen
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.ttLib import TTFont
from fontTools.ttLib.tables._g_l_y_f import Glyph

CENTRE = -270  # of 1000 units per em: half of a usual letter

for name in sys.argv[1:]:
    font = TTFont(name)
    glyf, hmtx, cmap = font["glyf"], font["hmtx"], font.getBestCmap()
    shapes = font.getGlyphSet()
    for glyph in font.getGlyphOrder():  # letters that are made of a letter and a mark get outlines of their own
        if glyf[glyph].isComposite():
            parts, outline = DecomposingRecordingPen(shapes), TTGlyphPen(None)
            shapes[glyph].draw(parts)
            parts.replay(outline)
            glyf[glyph] = outline.glyph()
    for glyph in sorted({g for c, g in cmap.items() if unicodedata.category(chr(c)) == "Mn"}):
        outline = glyf[glyph]
        if outline.numberOfContours:
            outline.recalcBounds(glyf)
            outline.coordinates.translate((CENTRE - (outline.xMin + outline.xMax) // 2, 0))
            outline.recalcBounds(glyf)
            hmtx[glyph] = (0, outline.xMin)
    glyf[cmap[0x200C]], hmtx[cmap[0x200C]] = Glyph(), (0, 0)  # the non-joiner has a bar for editors
    font.save(name)
