def setup_provider(_env, _code):
    pass


def reset_payment_provider(_env, _code):
    pass
