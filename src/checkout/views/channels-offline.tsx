import { cuitText, grouped, moneyText } from '../../platform/pages/format.ts';
import { localized } from '../../platform/pages/shell.tsx';
import { type SectionProps, Steps } from './channels-online.tsx';
import { CopyButton } from './copy.tsx';
import type { Lang } from './model.ts';
import { texts } from './texts.ts';

type CodeProps = { lang: Lang; label: string; value: string; display?: string };

/** Renders a value to copy. A script adds the button. */
function CopyRow({ lang, label, value, display = value }: CodeProps) {
  return (
    <div class="row">
      <dt>{label}</dt>
      <dd>
        <span class="code">{display}</span>
        <CopyButton lang={lang} label={label} value={value} />
      </dd>
    </div>
  );
}

export function TransferSection({ page, channel }: SectionProps<'wire_transfer'>) {
  const words = texts[page.lang];
  return (
    <>
      <p>{words.transfer.exact({ amount: moneyText(page.lang, page.due.amount) })}</p>
      <dl class="rows">
        <CopyRow
          lang={page.lang}
          label={words.transfer.cvu}
          value={channel.cvu}
          display={grouped(channel.cvu)}
        />
        {channel.alias !== undefined && (
          <CopyRow lang={page.lang} label={words.transfer.alias} value={channel.alias} />
        )}
        <div class="row">
          <dt>{words.transfer.holder}</dt>
          <dd>
            <bdi>{channel.holder}</bdi>
          </dd>
        </div>
        {channel.holderCuit !== undefined && (
          <div class="row">
            <dt>{words.transfer.holderCuit}</dt>
            <dd>{cuitText(channel.holderCuit)}</dd>
          </div>
        )}
      </dl>
    </>
  );
}

export function BankCodeSection({ page, channel }: SectionProps<'banelco_pmc' | 'link_pagos'>) {
  const words = texts[page.lang].code;
  return (
    <>
      <dl class="rows">
        <div class="row">
          <dt>{words.company}</dt>
          <dd>{channel.company}</dd>
        </div>
        <CopyRow
          lang={page.lang}
          label={words.code}
          value={channel.paymentCode}
          display={grouped(channel.paymentCode)}
        />
      </dl>
      <Steps steps={channel.code === 'banelco_pmc' ? words.banelcoSteps : words.linkSteps} />
    </>
  );
}

export function CashSection({ page, channel }: SectionProps<'non_banking'>) {
  const words = texts[page.lang].cash;
  const separator = page.lang === 'es' ? ' o ' : ' or ';
  const last = channel.networks.at(-1) ?? '';
  const others = channel.networks.slice(0, -1).join(', ');
  return (
    <>
      <p>{words.where({ networks: others === '' ? last : `${others}${separator}${last}` })}</p>
      <a href={localized(page, `${page.pageUrl}/barcode`)}>
        <img class="barcode" src={channel.barcodeUrl} alt={words.image} width="407" height="88" />
      </a>
      <dl class="rows">
        <CopyRow
          lang={page.lang}
          label={words.digits}
          value={channel.barcode}
          display={grouped(channel.barcode)}
        />
      </dl>
      <p class="actions">
        <a class="button button-quiet" href={localized(page, `${page.pageUrl}/barcode`)}>
          {words.large}
        </a>
        <a class="button button-quiet" href={channel.pdfUrl}>
          {words.open}
        </a>
      </p>
    </>
  );
}
