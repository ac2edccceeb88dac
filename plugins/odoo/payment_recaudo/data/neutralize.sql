-- A copy of a database must not call the service.
UPDATE payment_provider
   SET recaudo_key = NULL, recaudo_secret = NULL, recaudo_account = NULL, recaudo_cursor = NULL
 WHERE code = 'recaudo';
