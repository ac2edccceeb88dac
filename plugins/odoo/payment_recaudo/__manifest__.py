{
    "name": "Payment Provider: Recaudo",
    "version": "18.0.1.0.0",
    "category": "Accounting/Payment Providers",
    "summary": "Cards, transfers, cash and QR on the checkout of a Recaudo service.",
    "depends": ["payment"],
    "data": [
        "views/payment_recaudo_templates.xml",
        "views/payment_provider_views.xml",
        "data/payment_provider_data.xml",
        "data/ir_cron.xml",
    ],
    "post_init_hook": "post_init_hook",
    "uninstall_hook": "uninstall_hook",
    "license": "Other OSI approved licence",
}
