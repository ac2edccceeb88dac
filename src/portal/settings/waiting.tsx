import type { ComponentChild, ComponentChildren } from 'preact';
import type { PendingLook } from '../../accounts/index.ts';
import { Facts, Section } from '../../platform/pages/components/parts.tsx';
import type { Lang } from '../../platform/pages/model.ts';
import { settingTexts } from './setting-texts.ts';

/** Describes a pending change, part by part. `logo` is the image, if shown. */
export function pendingFacts(lang: Lang, { changes }: PendingLook, logo?: ComponentChild) {
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

/** Renders the change that waits for an operator's approval, with a button to withdraw it. */
export function Waiting({
  lang,
  pending,
  withdraw,
}: {
  lang: Lang;
  pending: PendingLook;
  withdraw: ComponentChildren;
}) {
  const texts = settingTexts[lang].waiting;
  return (
    <Section id="waiting" title={texts.title}>
      <p>{texts.lead}</p>
      <Facts items={pendingFacts(lang, pending)} />
      {withdraw}
    </Section>
  );
}
