-- Until an import is confirmed or discarded its file is kept, so that another sheet, another row of
-- headings or hidden rows can be read from it.
create table import_files (
  account_id text not null,
  import_id bigint not null,
  no integer not null,
  bytes bytea not null,
  primary key (account_id, import_id, no)
);
-- Compressing costs more than the short life of these bytes is worth.
alter table import_files alter column bytes set storage external;
-- JSON: how the file was read and how else it could be; null: its file was never kept.
alter table imports add column way text;
