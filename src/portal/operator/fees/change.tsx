import type { ComponentChildren } from 'preact';
import type { Account } from '../../../accounts/index.ts';
import type { ChannelCode } from '../../../money/channels/index.ts';
import { Section } from '../../../platform/pages/components/parts.tsx';
import { channelNames } from '../../frame/channels.ts';
import type { Page, ServiceVisit } from '../../frame/index.ts';
import { PageHead } from '../../frame/layout.tsx';
import { feesTexts } from './texts.ts';

interface ChangeModel {
  account: Account;
  channel: ChannelCode;
  setting: ComponentChildren;
  ending: ComponentChildren;
}

/** Renders the forms that set and end an account's own terms for a channel. */
export function changePage(
  { lang, at }: ServiceVisit,
  { account, channel, setting, ending }: ChangeModel,
): Page {
  const texts = feesTexts[lang];
  const title = `${texts.title}: ${channelNames[lang][channel]}`;
  return {
    title,
    body: (
      <>
        <PageHead
          title={title}
          lead={texts.changeLead}
          up={{
            href: at(`/accounts/${account.id}/fees`),
            label: `${texts.title} · ${account.name}`,
          }}
        />
        {setting}
        <Section id="end" title={texts.end}>
          <p>{texts.endLead}</p>
          {ending}
        </Section>
      </>
    ),
  };
}
