-- The environment that a database belongs to, so that a start without ENVIRONMENT does not turn
-- production into a sandbox. The first start writes it. A database of before has it from its keys.
create table deployment (
  only_row boolean primary key default true check (only_row),
  environment text not null check (environment in ('sandbox', 'production'))
);
insert into deployment (environment)
select case when bool_or(prefix like 'rk_live_%') then 'production' else 'sandbox' end
from api_keys where prefix like 'rk_live_%' or prefix like 'rk_test_%' having count(*) > 0;
