import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { FieldFault, FieldName, Lang } from '../../../src/checkout/views/model.ts';
import {
  errorPage,
  expiredPage,
  notFoundPage,
  paidPage,
  pendingPage,
  receiptPage,
  rejectedPage,
} from '../../../src/checkout/views/outcome.tsx';
import { payPage } from '../../../src/checkout/views/pay.tsx';
import { texts } from '../../../src/checkout/views/texts.ts';
import { centavos } from '../../../src/kernel/money.ts';
import { channels, faultyModel, payModel, receiptModel, request, sandboxModel } from './models.ts';

const amount = centavos(19_250_050);
const day = Temporal.PlainDate.from('2026-12-15');
const paidAt = Temporal.Instant.from('2026-12-15T14:03:00Z');

function everyPage(lang: Lang): Record<string, string> {
  const base = { ...request, lang };
  return {
    pay: payPage({ ...payModel, lang }),
    sandbox: payPage({ ...sandboxModel, lang }),
    faulty: payPage({ ...faultyModel, lang }),
    receipt: receiptPage({ ...receiptModel, lang }),
    rejected: rejectedPage({ ...base, reason: 'insufficient_funds' }),
    pending: pendingPage({ ...base, amount }),
    paid: paidPage({ ...base, settlement: { paid: amount, due: amount }, paidAt }),
    part: paidPage({ ...base, settlement: { paid: centavos(100_000), due: amount }, paidAt }),
    over: paidPage({ ...base, settlement: { paid: centavos(38_500_100), due: amount }, paidAt }),
    missed: payPage({ ...payModel, lang, missed: day }),
    expired: expiredPage({ ...base, lastDay: day }),
    notFound: notFoundPage(base),
    error: errorPage({ ...base, kind: 'busy', requestId: 'req-1' }),
  };
}

const allPages = [...Object.entries(everyPage('es')), ...Object.entries(everyPage('en'))];

const attributeOf = (tag: string, name: string) =>
  new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1];

test.each(allPages)(
  'renders the %s page as a whole document with language, title, viewport and style',
  (_, html) => {
    expect(html).toMatch(/^<!DOCTYPE html><html lang="(es-AR|en)">/);
    expect(html).toMatch(/<title>[^<]+<\/title>/);
    expect(html).toContain('name="viewport" content="width=device-width, initial-scale=1"');
    expect(html).toContain('<link rel="stylesheet" href="/checkout.css"');
    expect(html.match(/<h1/g)).toHaveLength(1);
  },
);

test.each(allPages)('puts no inline script, style or event handler into the %s page', (_, html) => {
  expect(html).not.toMatch(/<script(?![^>]*\ssrc=)/i);
  expect(html).toMatch(/<script type="module" src="\/checkout.js"><\/script>/);
  expect(html).not.toMatch(/<style/i);
  expect(html).not.toMatch(/<[^>]*\s(style|on\w+)=/i);
  expect(html).not.toMatch(/javascript:/i);
});

test.each(allPages)('links the %s page to itself in the other language', (_, html) => {
  const other = html.includes('<html lang="en">') ? 'es' : 'en';
  expect(html).toContain(`href="/pay/token?lang=${other}"`);
});

test.each(allPages)('labels every control of the %s page, and repeats no id', (_, html) => {
  const ids = [...html.matchAll(/\sid="([^"]+)"/g)].map((match) => match[1]);
  expect(new Set(ids).size).toBe(ids.length);
  for (const [control] of html.matchAll(/<(input|select|textarea)\b[^>]*>/g)) {
    if (attributeOf(control, 'type') === 'hidden') continue;
    expect(html).toContain(`<label for="${attributeOf(control, 'id')}">`);
    for (const id of attributeOf(control, 'aria-describedby')?.split(' ') ?? []) {
      expect(ids).toContain(id);
    }
  }
});

const probe = `"><script>alert(1)</script><img src=x onerror=alert(2)>'`;

test('escapes user text wherever it appears', () => {
  const hostile = {
    issuer: { name: probe, cuit: probe },
    payerName: probe,
    reference: probe,
    description: probe,
    pageUrl: `/pay/${probe}`,
  };
  const field = (name: FieldName) => [name, probe] as const;
  const pages = [
    payPage({
      ...sandboxModel,
      ...hostile,
      items: [{ description: probe, amount }],
      channels: channels.map((channel) => {
        const entries = Object.entries(channel).map(([key, value]) =>
          key !== 'code' && typeof value === 'string' ? [key, probe] : [key, value],
        );
        return Object.fromEntries(entries) as typeof channel;
      }),
      form: {
        channel: 'DEBIN',
        faults: { account: 'account' },
        values: Object.fromEntries([field('account'), field('holder_cuit')]),
      },
      actions: { pay: probe, check: probe, language: probe, simulate: probe },
    }),
    receiptPage({ ...receiptModel, ...hostile, channel: probe, authorizationCode: probe }),
    rejectedPage({
      ...request,
      ...hostile,
      reason: 'other',
      backUrl: `https://a.example/${probe}`,
    }),
    expiredPage({ ...request, ...hostile, lastDay: day }),
    errorPage({ ...request, kind: 'failed', requestId: probe }),
  ];
  for (const html of pages) {
    expect(html).not.toContain('<script>');
    expect(html).not.toContain('<img src=x');
    expect(html).toContain('&lt;script>alert(1)');
  }
});

test('adds no markup to the page for random texts of a request', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => {
      const plain = payPage({ ...payModel, description: 'x', payerName: 'x' });
      const html = payPage({ ...payModel, description: text, payerName: text });
      expect(html.match(/<[a-z/!]/gi)?.length).toBe(plain.match(/<[a-z/!]/gi)?.length);
    }),
  );
});

test('links back to http and https addresses only', () => {
  const page = (backUrl: string) =>
    paidPage({ ...request, settlement: { paid: amount, due: amount }, backUrl });
  expect(page('https://tienda.example.com/ok')).toContain('href="https://tienda.example.com/ok"');
  for (const url of ['javascript:alert(1)', 'data:text/html,x', ' javascript:alert(1)', '//x.y']) {
    expect(page(url)).not.toContain('Volver al sitio');
  }
});

test('shows each channel only if it is allowed', () => {
  for (const channel of channels) {
    const only = payPage({ ...sandboxModel, channels: [channel] });
    const without = payPage({
      ...sandboxModel,
      channels: channels.filter((other) => other !== channel),
    });
    expect(only.match(/<details class="channel"/g)).toHaveLength(1);
    expect(only).toContain(`id="channel-${channel.code}"`);
    expect(without).not.toContain(`id="channel-${channel.code}"`);
    expect(without).not.toContain(`name="channel" value="${channel.code}"`);
  }
});

test('shows simulation and test cards in the sandbox only', () => {
  const simulated = [...payPage(sandboxModel).matchAll(/action="([^"]+)"/g)].filter(
    (match) => match[1] === '/pay/token/simulate',
  );
  // Methods: qr, wire_transfer, banelco_pmc, link_pagos, non_banking.
  expect(simulated).toHaveLength(5);
  expect(payPage(sandboxModel)).toContain('4507990000004905');
  const production = payPage({ ...sandboxModel, sandbox: false });
  expect(production).not.toContain('simulate');
  expect(production).not.toContain('4507990000004905');
});

test('shows a fault next to its field, linked to it, and opens its channel', () => {
  const html = payPage(faultyModel);
  const input = /<input[^>]*id="credit_card-holder_email"[^>]*>/.exec(html)?.[0] ?? '';
  expect(attributeOf(input, 'aria-invalid')).toBe('true');
  expect(attributeOf(input, 'aria-describedby')).toContain('credit_card-holder_email-fault');
  expect(html).toContain('id="credit_card-holder_email-fault">Escribí una dirección de correo');
  expect(html).toContain('href="#credit_card-holder_email"');
  expect(html).toMatch(/id="channel-credit_card"[^>]*\sopen/);
  expect(html).not.toMatch(/id="channel-debit_card"[^>]*\sopen/);
  expect(html).not.toContain('debit_card-holder_email-fault');
});

test('shows a form again with its values', () => {
  const html = payPage(faultyModel);
  expect(html).toContain('value="maria@"');
  expect(html).toMatch(/<option[^>]*selected[^>]*value="39:3"|value="39:3"[^>]*selected/);
});

test('groups installments by brand, with the amount of each and the total', () => {
  const html = payPage(payModel).replaceAll('\u00a0', ' ');
  expect(html).toContain('<optgroup label="Visa" data-brand="visa">');
  expect(html).toContain('>3 cuotas de $ 70.583,52 (total $ 211.750,55; el resumen');
  expect(html).toContain('>6 cuotas de $ 38.500,10 (total $ 231.000,60)</option>');
  expect(html).toContain('data-submit="Pagar $ 231.000,60 en 6 cuotas"');
});

test('formats amounts and days by language', () => {
  const spanish = payPage(payModel).replaceAll('\u00a0', ' ');
  expect(spanish).toContain('$ 192.500,50');
  expect(spanish).toContain('<time datetime="2026-12-05">5 de diciembre de 2026</time>');
  expect(spanish).toContain('hasta el 15 de diciembre de 2026: $ 202.125,53');
  const english = payPage({ ...payModel, lang: 'en' }).replaceAll('\u00a0', ' ');
  expect(english).toContain('ARS 192,500.50');
  expect(english).toContain('5 December 2026');
});

test('shows amount, moment in Argentina, channel, authorization and request on a receipt', () => {
  const html = receiptPage(receiptModel).replaceAll('\u00a0', ' ');
  for (const part of [
    '$ 192.500,50',
    '21 de noviembre de 2026, 09:49',
    'Visa terminada en 4905',
    '482913',
    '48210337',
  ]) {
    expect(html).toContain(part);
  }
});

test('warns against paying again during a pending outcome, and offers no form', () => {
  const html = pendingPage({ ...request, amount });
  expect(html).toContain('No vuelvas a pagar');
  expect(html).not.toContain('<form');
});

type Leaf = readonly [string, string];

function leaves(value: unknown, path = ''): Leaf[] {
  if (typeof value === 'string') return [[path, value]];
  if (typeof value === 'function') return [[path, String(value('a', 'b', 'c'))]];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => leaves(inner, `${path}.${key}`));
}

test('has the same texts in both languages, none empty', () => {
  const spanish = leaves(texts.es);
  const english = leaves(texts.en);
  expect(english.map(([path]) => path)).toEqual(spanish.map(([path]) => path));
  for (const [path, text] of [...spanish, ...english]) expect(text.trim(), path).not.toBe('');
});

test('gives every text an English version that differs from the Spanish one', () => {
  const english = new Map(leaves(texts.en));
  const same = leaves(texts.es).filter(([path, text]) => english.get(path) === text);
  // Names that are the same in both languages.
  const names = ['Pago Mis Cuentas', 'Link Pagos', 'CVU', 'Alias', 'CBU, CVU or alias'];
  expect(same.map(([, text]) => text).filter((text) => !names.includes(text))).toEqual([]);
});

test('has a message for every fault', () => {
  for (const fault of Object.keys(texts.es.faults) as FieldFault[]) {
    const html = payPage({
      ...payModel,
      form: { channel: 'DEBIN', faults: { account: fault }, values: {} },
    });
    expect(html).toContain(`id="DEBIN-account-fault">${texts.es.faults[fault]}`);
  }
});

test('shows the paid and due amounts of partial, full and excess payments', () => {
  const due = centavos(2_435_050);
  const page = (paid: number, at = paidAt) =>
    paidPage({ ...request, settlement: { paid: centavos(paid), due }, paidAt: at }).replaceAll(
      '\u00a0',
      ' ',
    );
  const part = page(100_000);
  expect(part).toContain('Se pagaron $ 1.000,00 de $ 24.350,50. Faltan $ 23.350,50.');
  expect(part).not.toContain('No hace falta');
  expect(page(2_435_050)).toContain('No hace falta que pagues nada más.');
  expect(page(4_870_100)).toContain('Se pagaron $ 48.701,00 por un cobro de $ 24.350,50');
});

test('shows a time only for payments that have one', () => {
  const told = (at: string) =>
    paidPage({
      ...request,
      settlement: { paid: amount, due: amount },
      paidAt: Temporal.Instant.from(at),
    });
  expect(told('2026-12-05T00:00:00-03:00')).toContain('Se pagó el 5 de diciembre de 2026.');
  expect(told('2026-12-05T09:30:00-03:00')).toContain('5 de diciembre de 2026, 09:30.');
});

test('sends the payer of a pending DEBIN to their bank, without a warning about paying twice', () => {
  for (const lang of ['es', 'en'] as const) {
    const html = pendingPage({ ...request, lang, amount, isDebin: true });
    expect(html).toContain(texts[lang].debin.pending.title);
    expect(html).not.toContain(texts[lang].pending.wait);
  }
});

test('advises fewer installments for credit cards only', () => {
  const { insufficient_funds: credit, no_balance: account } = texts.es.rejected.reasons;
  expect(credit).toContain('menos cuotas');
  expect(account).not.toContain('cuotas');
  expect(rejectedPage({ ...request, lang: 'es', reason: 'no_balance' })).toContain(
    'saldo suficiente',
  );
});
