import { type Bar, BarChart } from '../../platform/pages/components/bar-chart.tsx';
import { LineChart, type LinePoint } from '../../platform/pages/components/line-chart.tsx';

const channels = [
  'Tarjeta de crédito',
  'Tarjeta de débito',
  'Pago Fácil',
  'Transferencia',
  'QR',
  'DEBIN',
  'Débito directo',
  'Otros',
];
const keys = channels.map((label, index) => ({ key: `channel-${index}`, label }));

const days = Array.from({ length: 31 }, (_, index) => index + 1);
const sample = (day: number, channel: number) =>
  (((day * 37 + channel * 101) % 90) * 1_000) / (channel + 1);

const bars: Bar[] = days.map((day) => {
  const values = keys.map(({ key }, index) => [key, Math.round(sample(day, index))] as const);
  const total = values.reduce((sum, [, value]) => sum + value, 0);
  return {
    label: `${day} de octubre`,
    short: `${day}-10`,
    values: Object.fromEntries(values),
    total,
  };
});

const points: LinePoint[] = days.map((day) => ({
  label: `Día ${day}`,
  short: String(day),
  values: { last: day * 41_000, ...(day < 22 && { now: day * 46_000 - (day % 5) * 9_000 }) },
}));

const pesos = (value: number) => `$ ${value.toLocaleString('es-AR')}`;
const short = (value: number) => `$ ${(value / 1_000).toLocaleString('es-AR')} mil`;

export function SampleCharts() {
  return (
    <>
      <BarChart
        lang="es"
        id="sample-bars"
        title="Cobrado por día y canal, octubre de 2026"
        description="Una barra por día; cada color es un canal."
        series={keys}
        bars={bars}
        barsAre="Día"
        totalIs="Total"
        format={pesos}
        formatShort={short}
      />
      <LineChart
        lang="es"
        id="sample-lines"
        title="Cobrado en el mes, día a día"
        description="La línea llena es este mes; la de trazos, el anterior."
        series={[
          { key: 'now', label: 'Noviembre' },
          { key: 'last', label: 'Octubre' },
        ]}
        points={points}
        pointsAre="Día"
        format={pesos}
        formatShort={short}
      />
    </>
  );
}
