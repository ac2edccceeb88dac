import type { Lang } from '../../../platform/pages/model.ts';

const es = {
  title: 'Avisos ilegibles',
  lead: 'Avisos de conectores que esta versión no sabe leer. Pueden hablar de dinero: aplicalos cuando una versión los lea, o descartalos.',
  open: 'Pendientes',
  all: 'Todos',
  empty: 'No hay avisos pendientes',
  emptyWhy: 'Cuando un conector mande algo que no sabemos leer, va a estar acá.',
  number: 'Número',
  connector: 'Conector',
  heard: 'Llegó',
  fault: 'Qué no se lee',
  body: 'Contenido',
  state: 'Estado',
  states: { open: 'Pendiente', replayed: 'Aplicado', discarded: 'Descartado' },
  decided: 'Se decidió',
  by: 'Quién',
  note: 'Motivo',
  noteFault: 'Contá en una línea por qué se descarta.',
  replay: 'Aplicar',
  replayLead: 'Hace lo que dice el aviso, como si llegara ahora. Lo que diga cuenta una sola vez.',
  replaySubmit: 'Aplicar el aviso',
  discard: 'Descartar',
  discardSubmit: 'Descartar el aviso',
  one: (id: number) => `Aviso ${id}`,
};

export type LetterTexts = typeof es;

const en: LetterTexts = {
  title: 'Unreadable notices',
  lead: 'Notices of connectors that this release cannot read. They may speak of money: replay them once a release can, or discard them.',
  open: 'Open',
  all: 'All',
  empty: 'No notice waits',
  emptyWhy: 'When a connector sends something that this release cannot read, it appears here.',
  number: 'Number',
  connector: 'Connector',
  heard: 'Received',
  fault: 'What cannot be read',
  body: 'Content',
  state: 'State',
  states: { open: 'Open', replayed: 'Replayed', discarded: 'Discarded' },
  decided: 'Decided',
  by: 'By',
  note: 'Reason',
  noteFault: 'Say in one line why it is discarded.',
  replay: 'Replay',
  replayLead: 'Does what the notice says, as if it arrived now. What it says counts once.',
  replaySubmit: 'Replay the notice',
  discard: 'Discard',
  discardSubmit: 'Discard the notice',
  one: (id) => `Notice ${id}`,
};

export const letterTexts: Readonly<Record<Lang, LetterTexts>> = { es, en };
