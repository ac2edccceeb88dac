"""
The part of Odoo 18 that the module uses, written from its public documentation: records of
providers and transactions in database transactions. SHOP names the folder that processes share.
"""

from . import api, exceptions, fields, http, models

__all__ = ["api", "exceptions", "fields", "http", "models"]
