import { lastDayToSign, type MandateRow } from '../../mandates/index.ts';
import { Dialog } from '../../platform/pages/components/dialog.tsx';
import { ChoicesField } from '../../platform/pages/components/field.tsx';
import { Form } from '../../platform/pages/components/form.tsx';
import { Notice } from '../../platform/pages/components/parts.tsx';
import { dayText } from '../../platform/pages/format.ts';
import type { AccountVisit, Page } from '../frame/index.ts';
import { mandatePath } from './places.ts';
import { mandateTexts } from './texts.ts';

/** Asks which link to mail again; `refused`: it was not sent. */
export function remindPage(visit: AccountVisit, row: MandateRow, refused = false): Page {
  const { lang, at } = visit;
  const { remind: texts } = mandateTexts[lang];
  const action = at(`${mandatePath(row)}/remind`);
  return {
    title: texts.title,
    status: refused ? 409 : 200,
    body: (
      <Dialog title={texts.title}>
        {refused && (
          <Notice tone="bad">
            <p>{texts.refused}</p>
          </Notice>
        )}
        <p>
          <bdi>{texts.lead({ email: row.email })}</bdi>
        </p>
        <Form
          lang={lang}
          action={action}
          token={visit.token(action)}
          submit={texts.submit}
          back={at(mandatePath(row))}
        >
          <input type="hidden" name="version" value={String(row.version)} />
          <ChoicesField
            lang={lang}
            name="link"
            label={texts.how}
            kind="radio"
            values={['same']}
            choices={[
              {
                value: 'same',
                label: texts.same,
                hint: texts.sameHint({ day: dayText(lang, lastDayToSign(row)) }),
              },
              { value: 'new', label: texts.renewed, hint: texts.renewedHint },
            ]}
          />
        </Form>
      </Dialog>
    ),
  };
}

/** Asks for confirmation: it is irreversible. */
export function cancelPage(visit: AccountVisit, row: MandateRow): Page {
  const { lang, at } = visit;
  const { cancel: texts } = mandateTexts[lang];
  const action = at(`${mandatePath(row)}/cancel`);
  return {
    title: texts.title,
    body: (
      <Dialog title={texts.title}>
        <p>
          <bdi>{row.holder}</bdi>
        </p>
        <p>{texts.lead}</p>
        <Form
          lang={lang}
          action={action}
          token={visit.token(action)}
          submit={texts.submit}
          back={at(mandatePath(row))}
          grave
        />
      </Dialog>
    ),
  };
}
