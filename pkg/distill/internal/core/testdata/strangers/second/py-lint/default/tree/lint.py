import sys
print("checking 1 file")
print("src/pot.qx")
print("  2:9   G7   the colour 'blue' has no entry in the palette")
print("  3:1   G2   heat is below the limit")
print("2 complaints")
sys.exit(1)
