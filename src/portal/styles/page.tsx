import type { ComponentChildren } from 'preact';
import { Dialog, DialogLink } from '../../platform/pages/components/dialog.tsx';
import { Form } from '../../platform/pages/components/form.tsx';
import {
  Badge,
  CopyButton,
  CopyLink,
  EmptyState,
  Facts,
  Figures,
  Notice,
  Pager,
  Section,
} from '../../platform/pages/components/parts.tsx';
import { Timeline } from '../../platform/pages/components/timeline.tsx';
import { type Frame, PageHead, portalDocument } from '../frame/layout.tsx';
import { stateNames } from '../frame/state-names.ts';
import { MandateBadge, RequestBadge } from '../frame/states.tsx';
import { samplePaths } from './assets.ts';
import { SampleCharts } from './charts.tsx';
import { SampleForm } from './forms.tsx';
import { SampleTables } from './tables.tsx';
import { SampleTokens } from './tokens.tsx';

const here = '/portal/styles';

const parts: readonly (readonly [string, string, () => ComponentChildren])[] = [
  ['tokens', 'Tokens', SampleTokens],
  ['figures', 'Figures', SampleFigures],
  ['badges', 'Badges of states', SampleBadges],
  ['notices', 'Notices', SampleNotices],
  ['tables', 'Filter bar, table, pager', SampleTables],
  ['forms', 'Form, fields, upload', SampleForm],
  ['dialogs', 'Dialog', SampleDialogLink],
  ['timelines', 'Timeline', SampleTimeline],
  ['facts', 'Facts', SampleFacts],
  ['links', 'Link to copy', SampleLink],
  ['charts', 'Charts', SampleCharts],
  ['empty', 'Empty state', SampleEmpty],
];

const frame: Frame = {
  lang: 'en',
  pageUrl: here,
  otherLanguage: null,
  sandbox: true,
  user: { id: 1, name: 'Ana Quiroga', signOutToken: '', idleMinutes: 15 },
  account: { id: 'A1B2C3D4', name: 'Cooperativa La Unión' },
  navigation: parts.map(([id, label], index) => ({
    href: `#${id}`,
    label,
    current: index === 0,
  })),
};

/** Renders every component once. Samples are in the language of the account's pages. */
export const stylesPage = (): string =>
  portalDocument({
    frame,
    title: 'Style sheet',
    assets: samplePaths,
    children: (
      <>
        <PageHead
          title="Style sheet"
          lead="The components of the portal's pages (src/platform/pages/components), each as pages show it."
          actions={
            <a class="button" href={here}>
              An act of the page
            </a>
          }
        />
        {parts.map(([id, title, Sample]) => (
          <Section key={id} id={id} title={title}>
            <div lang="es-AR" class="columns-one">
              <Sample />
            </div>
          </Section>
        ))}
      </>
    ),
  });

export const sampleDialog = (): string =>
  portalDocument({
    frame,
    title: 'Dialog',
    children: (
      <div lang="es-AR">
        <Dialog title="¿Retirar este cobro?">
          <p>Nadie lo va a poder pagar en línea. El dinero que llegue igual se registra.</p>
          <Form lang="es" action={here} submit="Retirar el cobro" grave back={here} />
        </Dialog>
      </div>
    ),
  });

function SampleFigures() {
  return (
    <Figures
      items={[
        { label: 'Disponible', value: '$ 1.284.350,50', href: here, note: 'Para cobrar hoy' },
        { label: 'A cobrar', value: '$ 99.999.999,99', note: 'Entre el 24 y el 28 de noviembre' },
        { label: 'Cobrado hoy', value: '$ 0,00' },
      ]}
    />
  );
}

function SampleBadges() {
  const names = stateNames.es;
  const requests = Object.keys(names.requests) as (keyof typeof names.requests)[];
  const mandates = Object.keys(names.mandates) as (keyof typeof names.mandates)[];
  return (
    <>
      <p class="actions">
        {requests.map((state) => (
          <RequestBadge key={state} lang="es" state={state} />
        ))}
      </p>
      <p class="actions">
        {mandates.map((state) => (
          <MandateBadge key={state} lang="es" state={state} />
        ))}
        <Badge tone="calm">Otra cosa</Badge>
      </p>
    </>
  );
}

function SampleNotices() {
  return (
    <>
      <Notice tone="good" title="Listo" text="Se crearon 2.000 cobros." />
      <Notice tone="wait">
        <p>
          Hay <a href={here}>3 adhesiones</a> que vencen esta semana.
        </p>
      </Notice>
      <Notice
        tone="bad"
        title="No se pudo guardar"
        text="Alguien cambió estos datos mientras los editabas."
      />
      <Notice tone="calm" text="Los informes de hoy son provisorios." />
    </>
  );
}

function SampleDialogLink() {
  return (
    <p>
      <DialogLink href="/portal/styles/dialog">Retirar el cobro…</DialogLink>
    </p>
  );
}

function SampleTimeline() {
  const on = (text: string, iso: string) => ({ text, iso });
  return (
    <Timeline
      label="Qué pasó con el cobro"
      steps={[
        { title: 'Creado', when: on('2 de noviembre de 2026, 09:12', '2026-11-02T09:12:00-03:00') },
        {
          title: 'Tarjeta rechazada',
          when: on('4 de noviembre de 2026, 20:40', '2026-11-04T20:40:00-03:00'),
          detail: 'Visa: fondos insuficientes',
          tone: 'bad',
        },
        {
          title: 'Pagado',
          when: on('5 de noviembre de 2026', '2026-11-05T00:00:00-03:00'),
          detail: 'Pago Fácil, $ 24.350,50',
          tone: 'good',
        },
        { title: 'Disponible el 10 de noviembre de 2026', when: null },
      ]}
    />
  );
}

function SampleFacts() {
  return (
    <Facts
      items={[
        ['Pagador', <bdi key="payer">María de los Ángeles Fernández Gutiérrez</bdi>],
        [
          'Referencia',
          <span key="reference" class="code">
            FAC-2026-001893-A-0000000000001
          </span>,
        ],
        ['Primer vencimiento', '10 de noviembre de 2026, $ 24.350,50'],
      ]}
    />
  );
}

function SampleLink() {
  const href = 'https://recaudo.example/checkout/A1B2C3D4-1893';
  return (
    <>
      <p>
        <CopyLink lang="en" label="Payment page" href={href} />
      </p>
      <p>
        <span class="code">lrn4-8Yk2</span>{' '}
        <CopyButton lang="en" label="Secret" value="lrn4-8Yk2" />
      </p>
    </>
  );
}

function SampleEmpty() {
  return (
    <>
      <EmptyState
        title="Todavía no hay cobros"
        action={
          <a class="button" href={here}>
            Crear el primero
          </a>
        }
      >
        <p>Un cobro es lo que le mandás a alguien para que te pague.</p>
      </EmptyState>
      <Pager lang="es" range="Ninguno" />
    </>
  );
}
