import { SelectField, TextField } from '../../platform/pages/components/field.tsx';
import { FilterBar } from '../../platform/pages/components/filter-bar.tsx';
import { Pager } from '../../platform/pages/components/parts.tsx';
import { Table, type TableColumn } from '../../platform/pages/components/table.tsx';
import { RequestBadge } from '../frame/states.tsx';

const here = '/portal/styles';

interface Row {
  id: number;
  payer: string;
  reference: string;
  state: 'paid' | 'pending' | 'expired';
  amount: string;
}

const rows: Row[] = [
  {
    id: 1893,
    payer: 'María de los Ángeles Fernández Gutiérrez',
    reference: 'FAC-2026-001893-A',
    state: 'paid',
    amount: '$ 24.350,50',
  },
  {
    id: 1892,
    payer: 'Juan Pérez',
    reference: 'FAC-2026-001892-A',
    state: 'pending',
    amount: '$ 99.999.999,99',
  },
  {
    id: 1891,
    payer: 'Ferretería El Tornillo S.R.L.',
    reference: 'x'.repeat(60),
    state: 'expired',
    amount: '$ 13,53',
  },
];

const columns: TableColumn<Row>[] = [
  {
    key: 'id',
    title: 'Cobro',
    heads: true,
    sortable: true,
    cell: ({ id }) => <a href={here}>{id}</a>,
  },
  { key: 'payer', title: 'Pagador', cell: ({ payer }) => <bdi>{payer}</bdi> },
  {
    key: 'reference',
    title: 'Referencia',
    cell: ({ reference }) => <span class="code">{reference}</span>,
  },
  { key: 'state', title: 'Estado', cell: ({ state }) => <RequestBadge lang="es" state={state} /> },
  { key: 'amount', title: 'Importe', number: true, sortable: true, cell: ({ amount }) => amount },
];

export function SampleTables() {
  return (
    <>
      <FilterBar
        lang="es"
        action={here}
        keep={{ order: 'id' }}
        chips={[
          { label: 'Estado: pagado', without: here },
          { label: 'Desde el 01-11-2026', without: here },
        ]}
        more={
          <TextField lang="es" name="from" label="Creado desde" type="date" value="2026-11-01" />
        }
        moreOpen
      >
        <TextField
          lang="es"
          name="word"
          label="Buscar"
          type="search"
          hint="Nombre, referencia o número"
        />
        <SelectField
          lang="es"
          name="state"
          label="Estado"
          none="Todos"
          value="paid"
          choices={[
            { value: 'paid', label: 'Pagado' },
            { value: 'pending', label: 'Pendiente' },
          ]}
        />
      </FilterBar>
      <Table
        lang="es"
        caption="Cobros pagados desde el 1 de noviembre"
        columns={columns}
        rows={rows}
        empty={null}
        order={{
          by: 'id',
          descending: true,
          href: (by, down) => `${here}?order=${by}&down=${down}`,
        }}
        foot={{ id: 'Total', amount: '$ 100.024.364,02' }}
      />
      <Pager lang="es" range="26 a 50" first={here} previous={here} next={here} />
    </>
  );
}
