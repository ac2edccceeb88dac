import { isolated } from '../../kernel/text.ts';
import { dayText, moneyText } from '../../platform/pages/format.ts';
import { htmlDocument } from '../../platform/pages/shell.tsx';
import { Amount } from './amount.tsx';
import { CardSection } from './cards.tsx';
import { BankCodeSection, CashSection, TransferSection } from './channels-offline.tsx';
import { DebinSection, QrSection } from './channels-online.tsx';
import { fieldId, PostForm, scopeOfForm } from './fields.tsx';
import type { ChannelModel, FieldName, PayModel } from './model.ts';
import { texts } from './texts.ts';

/**
 * Renders the page where a payer chooses a channel and pays. Only the channels of the model appear.
 */
export function payPage(model: PayModel): string {
  const words = texts[model.lang].pay;
  const title = words.title({ issuer: isolated(model.issuer.name) });
  return htmlDocument({
    page: model,
    title: hasFaults(model) ? `${words.faultTitle} – ${title}` : title,
    issuer: model.issuer,
    subject: `${texts[model.lang].request} ${model.id}`,
    sandbox: model.sandbox,
    children: (
      <div class="columns">
        <Summary page={model} title={title} />
        <section class="ways" aria-labelledby="ways">
          <h2 id="ways">{words.choose}</h2>
          <FaultSummary page={model} />
          {model.channels.length === 0 && <p>{words.noChannels}</p>}
          {model.channels.map((channel, index) => (
            <Channel key={channel.code} page={model} channel={channel} first={index === 0} />
          ))}
          {model.sandbox && <TestCards page={model} />}
        </section>
      </div>
    ),
  });
}

function faultsOf(page: PayModel): [FieldName, string][] {
  const words = texts[page.lang];
  const names = Object.keys(words.fields) as FieldName[];
  return names.flatMap((name): [FieldName, string][] => {
    const fault = page.form?.faults[name];
    return fault === undefined ? [] : [[name, words.faults[fault]]];
  });
}

function hasFaults(page: PayModel): boolean {
  return faultsOf(page).length > 0;
}

function FaultSummary({ page }: { page: PayModel }) {
  const words = texts[page.lang];
  const scope = scopeOfForm(page);
  if (!hasFaults(page)) return null;
  return (
    <div class="faults" role="alert" tabIndex={-1} data-focus>
      <p>{words.pay.faultSummary}</p>
      <ul>
        {faultsOf(page).map(([name, sentence]) => (
          <li key={name}>
            <a href={`#${fieldId(scope, name)}`}>
              {words.fields[name].label}: {sentence}
            </a>
          </li>
        ))}
      </ul>
    </div>
  );
}

function Summary({ page, title }: { page: PayModel; title: string }) {
  const words = texts[page.lang].pay;
  return (
    <section class="summary" aria-labelledby="title">
      <h1 id="title" class="summary-title">
        {title}
      </h1>
      <p class="amount-label">{words.amountDue}</p>
      <Amount lang={page.lang} amount={page.due.amount} />
      <p class="due">
        {words.dueOn}{' '}
        <time dateTime={page.due.day.toString()}>{dayText(page.lang, page.due.day)}</time>
      </p>
      {page.missed !== undefined && (
        <p class="later">{words.missed({ day: dayText(page.lang, page.missed) })}</p>
      )}
      {page.later !== undefined && (
        <p class="later">
          {words.afterwards({
            day: dayText(page.lang, page.later.day),
            amount: moneyText(page.lang, page.later.amount),
          })}
        </p>
      )}
      <dl class="facts">
        <dt>{words.payer}</dt>
        <dd>
          <bdi>{page.payerName}</bdi>
        </dd>
        <dt>{words.concept}</dt>
        <dd>
          <bdi class="concept">{page.description}</bdi>
        </dd>
        {page.reference !== undefined && (
          <>
            <dt>{words.reference}</dt>
            <dd>
              <bdi>{page.reference}</bdi>
            </dd>
          </>
        )}
      </dl>
      {page.items.length > 0 && <Items page={page} />}
    </section>
  );
}

function Items({ page }: { page: PayModel }) {
  const words = texts[page.lang].pay;
  return (
    <details class="items" open={page.items.length <= 6}>
      <summary>
        {words.items} ({page.items.length})
      </summary>
      <table>
        <thead>
          <tr>
            <th scope="col">{words.items}</th>
            <th scope="col" class="number">
              {words.amount}
            </th>
          </tr>
        </thead>
        <tbody>
          {page.items.map((item) => (
            <tr>
              <td>
                {item.quantity !== undefined && <span class="quantity">{item.quantity} × </span>}
                <bdi>{item.description}</bdi>
              </td>
              <td class="number">{moneyText(page.lang, item.amount)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}

type ChannelProps = { page: PayModel; channel: ChannelModel; first: boolean };

function Channel({ page, channel, first }: ChannelProps) {
  const words = texts[page.lang].channels[channel.code];
  const open = page.form === undefined ? first : page.form.channel === channel.code;
  return (
    <details class="channel" name="channel" id={`channel-${channel.code}`} open={open}>
      <summary>
        <span class="dot" aria-hidden="true" />
        <span class="channel-words">
          <span class="channel-name">{words.name}</span>
          <span class="channel-note">{words.note}</span>
        </span>
      </summary>
      <div class="channel-body">
        <Body page={page} channel={channel} />
        <Simulation page={page} channel={channel} />
      </div>
    </details>
  );
}

function Body({ page, channel }: Omit<ChannelProps, 'first'>) {
  switch (channel.code) {
    case 'credit_card':
    case 'debit_card':
      return <CardSection page={page} channel={channel} />;
    case 'DEBIN':
      return <DebinSection page={page} channel={channel} />;
    case 'qr':
      return <QrSection page={page} channel={channel} />;
    case 'wire_transfer':
      return <TransferSection page={page} channel={channel} />;
    case 'banelco_pmc':
    case 'link_pagos':
      return <BankCodeSection page={page} channel={channel} />;
    case 'non_banking':
      return <CashSection page={page} channel={channel} />;
  }
}

/** Renders the button that simulates a payer who pays elsewhere, in the sandbox. */
function Simulation({ page, channel }: Omit<ChannelProps, 'first'>) {
  const action = page.actions.simulate;
  const paidHere = ['credit_card', 'debit_card', 'DEBIN'].includes(channel.code);
  if (!page.sandbox || action === undefined || paidHere) return null;
  const words = texts[page.lang].sandbox;
  return (
    <div class="simulate">
      <p>{words.simulateNote}</p>
      <PostForm
        action={action}
        lang={page.lang}
        channel={channel.code}
        label={words.simulate}
        quiet
      />
    </div>
  );
}

function TestCards({ page }: { page: PayModel }) {
  const words = texts[page.lang].sandbox;
  const cards = page.testCards ?? [];
  if (cards.length === 0) return null;
  return (
    <details class="test-cards">
      <summary>{words.cards}</summary>
      <p>{words.cardsNote}</p>
      <table>
        <thead>
          <tr>
            <th scope="col">{words.number}</th>
            <th scope="col">{words.brand}</th>
            <th scope="col">{words.result}</th>
          </tr>
        </thead>
        <tbody>
          {cards.map((card) => (
            <tr key={card.number}>
              <td class="code" data-test-card>
                {card.number}
              </td>
              <td>{card.brand}</td>
              <td>{words.outcome[card.outcome]}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}
