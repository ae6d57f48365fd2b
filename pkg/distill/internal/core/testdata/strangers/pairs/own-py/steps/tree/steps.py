def fetch(): return "done"
def unpack(): return "done"
def check_disk(): return "3 blocks short"
def install(): return "done"
ALL = [fetch, unpack, check_disk, install]
