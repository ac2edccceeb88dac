import type { Account } from '../../../accounts/index.ts';
import type { ChannelCode } from '../../../money/channels/index.ts';
import { TextField } from '../../../platform/pages/components/field.tsx';
import { type FieldFault, Form, faultIn } from '../../../platform/pages/components/form.tsx';
import { Notice, Section } from '../../../platform/pages/components/parts.tsx';
import { channelNames } from '../../frame/channels.ts';
import type { Page, ServiceVisit } from '../../frame/index.ts';
import { PageHead } from '../../frame/layout.tsx';
import { OvertakenNotice, type RepeatedForm } from '../../frame/overtaken.tsx';
import type { TermsDraft } from './model.ts';
import { feesTexts } from './texts.ts';

export interface ChangeModel extends RepeatedForm {
  account: Account;
  channel: ChannelCode;
  draft: TermsDraft;
  /** The first day of the standard terms, as it was written, and what is wrong with it. */
  end: { from: string; fault?: string };
  /** Why it was not done. */
  refusal?: string;
}

/** The terms of an account for a channel, from a day on. */
export function changePage(visit: ServiceVisit, model: ChangeModel): Page {
  const { lang, at, token } = visit;
  const texts = feesTexts[lang];
  const { account, channel, draft, end, refusal, seen, overtaken } = model;
  const home = at(`/accounts/${account.id}/fees`);
  const action = `${home}/${channel}`;
  const faultOf = faultIn(draft.faults);
  const title = `${texts.title}: ${channelNames[lang][channel]}`;
  const wrong = draft.faults.length > 0 || end.fault !== undefined;
  const field = (name: 'percentage' | 'fixed' | 'minimum' | 'days') => ({
    lang,
    name,
    label: texts[name],
    value: draft[name],
    fault: faultOf(name),
    short: true,
  });
  return {
    title,
    status: refusal === undefined && overtaken === null ? (wrong ? 400 : 200) : 409,
    body: (
      <>
        <PageHead
          title={title}
          lead={texts.changeLead}
          up={{ href: home, label: `${texts.title} · ${account.name}` }}
        />
        <OvertakenNotice lang={lang} changed={overtaken} labels={{ terms: texts.title }} />
        {refusal !== undefined && (
          <Notice tone="bad">
            <p>{refusal}</p>
          </Notice>
        )}
        <Form
          lang={lang}
          action={action}
          token={token(action)}
          seen={seen}
          faults={draft.faults}
          submit={texts.save}
          back={home}
        >
          <TextField {...field('percentage')} inputMode="decimal" />
          <TextField {...field('fixed')} inputMode="decimal" />
          <TextField {...field('minimum')} inputMode="decimal" />
          <TextField {...field('days')} hint={texts.daysHint} inputMode="numeric" />
          <TextField
            lang={lang}
            name="from"
            type="date"
            label={texts.from}
            hint={texts.fromHint}
            value={draft.from}
            fault={faultOf('from')}
          />
        </Form>
        <EndForm visit={visit} action={`${action}/end`} end={end} seen={seen} />
      </>
    ),
  };
}

type EndProps = { visit: ServiceVisit; action: string } & Pick<ChangeModel, 'end' | 'seen'>;

function EndForm({ visit: { lang, token }, action, end, seen }: EndProps) {
  const texts = feesTexts[lang];
  const { from, fault } = end;
  const faults: FieldFault[] =
    fault === undefined ? [] : [{ field: 'end-from', label: texts.from, text: fault }];
  return (
    <Section id="end" title={texts.end}>
      <p>{texts.endLead}</p>
      <Form
        lang={lang}
        action={action}
        token={token(action)}
        seen={seen}
        faults={faults}
        submit={texts.end}
        grave
      >
        <TextField
          lang={lang}
          id="end-from"
          name="from"
          type="date"
          label={texts.from}
          value={from}
          fault={fault}
        />
      </Form>
    </Section>
  );
}
