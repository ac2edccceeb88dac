request = None


class Controller:
    pass


def route(*_paths, **_options):
    return lambda method: method
