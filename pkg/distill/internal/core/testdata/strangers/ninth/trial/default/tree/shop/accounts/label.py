def label(user):
    name = user["name"].strip()
    return name or "anonymous"
