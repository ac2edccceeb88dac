-- The states of each kind of request, as src/requests/states.ts has them.
alter table requests add constraint requests_state_check check (
  case kind
    when 'payment_request' then state in ('pending', 'paid', 'expired', 'reverted', 'refunded')
    when 'qr' then state in ('pending', 'paid', 'expired', 'deleted', 'refunded')
    when 'debit_request' then
      state in ('pending', 'in_process', 'paid', 'rejected', 'canceled', 'reverted', 'refunded')
    when 'card_debit_request' then
      state in ('pending', 'in_process', 'paid', 'rejected', 'canceled', 'reverted', 'refunded')
    else false
  end
);

alter table results add constraint results_kind_check check (
  kind in ('payment_request', 'debit_request', 'card_debit_request', 'qr')
);

alter table debit_runs add constraint debit_runs_kind_check check (
  kind in ('debit_request', 'card_debit_request')
);
