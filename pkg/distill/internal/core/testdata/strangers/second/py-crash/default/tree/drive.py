import kiln
for name, f in [("cools", lambda: kiln.cool(9, 1)), ("glazes", kiln.glaze), ("labels", lambda: 1)]:
    print("running", name, "...", end=" ", flush=True)
    f()
    print("done", flush=True)
