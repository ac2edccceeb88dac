-- What a connector's list of a day was compared with; of the deployment. The last comparison stands.
create table reconciliations (
  connector text not null,
  day date not null,
  at timestamptz not null,
  charges bigint not null,
  transfers bigint not null,
  -- What was recorded because the list had it.
  recorded bigint not null,
  primary key (connector, day)
);
-- What did not match and could not be mended: the audit names it until the day is compared again.
create table reconciliation_findings (
  connector text not null,
  day date not null,
  no int not null,
  account_id text not null,
  what text not null,
  primary key (connector, day, no)
);
create index reconciliation_findings_of on reconciliation_findings (account_id);
-- The charges of a connector, day by day.
create index attempts_of_connectors on attempts (connector, started_at, id)
  where connector <> 'simulator';
