def make(m):
    pass
