import type { AskedLook } from '../../accounts/index.ts';
import { Form } from '../../platform/pages/components/form.tsx';
import { Facts, Section } from '../../platform/pages/components/parts.tsx';
import type { Lang } from '../../platform/pages/model.ts';
import type { AccountVisit } from '../frame/index.ts';
import { settingTexts } from './setting-texts.ts';

/** Describes a pending change, part by part; `logo` is the image, if shown. */
export function askedFacts(lang: Lang, { changes }: AskedLook, logo?: preact.ComponentChild) {
  const { fields, profile, look, waiting, none } = settingTexts[lang];
  const { name, legal_name: legalName, sender, logo: picture } = changes;
  const text = (value: string | null) => <bdi>{value ?? none}</bdi>;
  return [
    ...(name === undefined ? [] : [[profile.name, text(name)] as const]),
    ...(legalName === undefined ? [] : [[fields.legal_name, text(legalName)] as const]),
    ...(sender === undefined ? [] : [[fields.sender, text(sender)] as const]),
    ...(picture === undefined
      ? []
      : [[look.logo, picture === null ? waiting.noLogo : (logo ?? waiting.newLogo)] as const]),
  ];
}

/** The change that waits for an operator's approval, with a button to withdraw it. */
export function Waiting({ visit, asked }: { visit: AccountVisit; asked: AskedLook }) {
  const { lang, at, token } = visit;
  const texts = settingTexts[lang].waiting;
  const action = at('/settings/waiting/withdraw');
  return (
    <Section id="waiting" title={texts.title}>
      <p>{texts.lead}</p>
      <Facts items={askedFacts(lang, asked)} />
      {visit.may('settings.change') && visit.account.state !== 'closed' && (
        <Form lang={lang} action={action} token={token(action)} submit={texts.withdraw} grave>
          <input type="hidden" name="back" value={at('/settings')} />
          <input type="hidden" name="id" value={asked.id} />
        </Form>
      )}
    </Section>
  );
}
