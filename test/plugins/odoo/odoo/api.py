def model(method):
    return method


def depends(*_names):
    return lambda method: method
