import {
  logoPath,
  longest,
  type PendingLook,
  type ProfileField,
  profileFields,
} from '../../accounts/index.ts';
import { ChoicesField, TextField, UploadField } from '../../platform/pages/components/field.tsx';
import { type FieldFault, Form, faultIn } from '../../platform/pages/components/form.tsx';
import { Facts, Notice } from '../../platform/pages/components/parts.tsx';
import { cuitText } from '../../platform/pages/format.ts';
import { formTo } from '../frame/form-to.ts';
import type { AccountVisit, Page } from '../frame/index.ts';
import { PageHead } from '../frame/layout.tsx';
import { OutdatedFormNotice, type RepeatedForm, statusOfAgain } from '../frame/overtaken.tsx';
import { Logo } from './home.tsx';
import { Preview } from './preview.tsx';
import { settingTexts } from './setting-texts.ts';

export interface ProfileDraft extends RepeatedForm {
  name: string;
  said: Readonly<Record<ProfileField, string>>;
  faults: readonly FieldFault[];
  /** The change that waits for an operator's approval. The form shows it as if applied. */
  pending: PendingLook | null;
}

const types = { email: 'email', phone: 'tel' } as const;
const fills = {
  legal_name: 'organization',
  address: 'off',
  email: 'off',
  phone: 'off',
  sender: 'off',
};

export function profilePage(visit: AccountVisit, draft: ProfileDraft): Page {
  const { lang, at, account } = visit;
  const texts = settingTexts[lang];
  const faultOf = faultIn(draft.faults);
  return {
    title: texts.profile.title,
    status: statusOfAgain(draft, draft.faults),
    body: (
      <>
        <PageHead
          title={texts.profile.title}
          lead={texts.profile.lead}
          up={{ href: at('/settings'), label: texts.title }}
        />
        <OutdatedFormNotice
          lang={lang}
          changed={draft.overtaken}
          labels={{ name: texts.profile.name, ...texts.fields }}
        />
        {draft.pending !== null && <Notice tone="wait" text={settingTexts[lang].waiting.inForm} />}
        <Form
          {...formTo(visit, at('/settings/profile'))}
          seen={draft.seen}
          faults={draft.faults}
          submit={texts.save}
          back={at('/settings')}
        >
          <TextField
            lang={lang}
            name="name"
            label={texts.profile.name}
            hint={texts.profile.nameHint}
            value={draft.name}
            fault={faultOf('name')}
            maxLength={longest.name}
            autocomplete="off"
          />
          <Facts
            items={[
              [
                texts.profile.cuit,
                <>
                  {cuitText(account.cuit)} <span class="hint">{texts.profile.cuitHint}</span>
                </>,
              ],
            ]}
          />
          {profileFields.map((field) => (
            <TextField
              key={field}
              lang={lang}
              name={field}
              type={field in types ? types[field as keyof typeof types] : 'text'}
              label={texts.fields[field]}
              hint={texts.hints[field]}
              value={draft.said[field]}
              fault={faultOf(field)}
              maxLength={longest[field]}
              autocomplete={fills[field]}
              optional
            />
          ))}
        </Form>
      </>
    ),
  };
}

export interface LookDraft extends RepeatedForm {
  accent: string;
  faults: readonly FieldFault[];
  /** The change that waits for an operator's approval. The form shows it as if applied. */
  pending: PendingLook | null;
}

export function lookPage(visit: AccountVisit, draft: LookDraft): Page {
  const { lang, at, account } = visit;
  const { look: texts, ...common } = settingTexts[lang];
  const faultOf = faultIn(draft.faults);
  const logo = logoPath(account);
  return {
    title: texts.title,
    status: statusOfAgain(draft, draft.faults),
    body: (
      <>
        <PageHead
          title={texts.title}
          lead={texts.lead}
          up={{ href: at('/settings'), label: common.title }}
        />
        <OutdatedFormNotice
          lang={lang}
          changed={draft.overtaken}
          labels={{ logo: texts.logo, accent: texts.accent }}
          shows={{ logo: () => texts.anotherLogo }}
        />
        {draft.pending !== null && <Notice tone="wait" text={settingTexts[lang].waiting.inForm} />}
        <Form
          {...formTo(visit, at('/settings/appearance'))}
          seen={draft.seen}
          faults={draft.faults}
          submit={common.save}
          back={at('/settings')}
          files
        >
          {logo && (
            <p>
              <Logo visit={visit} path={logo} />
            </p>
          )}
          <UploadField
            lang={lang}
            name="logo"
            label={texts.logo}
            hint={texts.logoHint}
            fault={faultOf('logo')}
            accept=".png,.jpg,.jpeg,image/png,image/jpeg"
            optional
          />
          {logo && (
            <ChoicesField
              lang={lang}
              name="remove"
              label={texts.presentLogo}
              kind="checkbox"
              choices={[{ value: 'logo', label: texts.removeLogo }]}
              values={[]}
              optional
            />
          )}
          <TextField
            lang={lang}
            name="accent"
            label={texts.accent}
            hint={texts.accentHint}
            value={draft.accent}
            fault={faultOf('accent')}
            maxLength={7}
            autocomplete="off"
            short
            optional
          />
        </Form>
        <h2>{texts.preview}</h2>
        <Preview visit={visit} />
      </>
    ),
  };
}
