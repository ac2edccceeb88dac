"""Imports the service's client: the packaged copy, or the original in a checkout."""

import importlib.util
import pathlib
from decimal import Decimal

_here = pathlib.Path(__file__).resolve().parent


def _load():
    packed = _here / "client" / "recaudo.py"
    file = packed if packed.is_file() else _here.parents[2] / "clients" / "python" / "recaudo.py"
    spec = importlib.util.spec_from_file_location("payment_recaudo_client", file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


client = _load()


def centavos(amount):
    return int((Decimal(str(amount)) * 100).to_integral_value())


def pesos(amount):
    """Formats centavos for the API."""
    return f"{amount // 100}.{amount % 100:02d}"
