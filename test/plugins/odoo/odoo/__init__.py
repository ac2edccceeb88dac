"""
As much of Odoo 18 as the module touches, after its public documentation: records of providers and
transactions, with transactions of the database. SHOP names the folder that several processes share.
"""

from . import api, exceptions, fields, http, models

__all__ = ["api", "exceptions", "fields", "http", "models"]
