import type { ComponentChildren } from 'preact';
import type { Account } from '../../../accounts/index.ts';
import type { Page, ServiceVisit } from '../../frame/index.ts';
import { PageHead } from '../../frame/layout.tsx';

/** Renders a page of an account around one form. */
export const formPage = (
  { at }: ServiceVisit,
  { id, name }: Account,
  { title, lead, form }: { title: string; lead: string; form: ComponentChildren },
): Page => ({
  title,
  body: (
    <>
      <PageHead title={title} lead={lead} up={{ href: at(`/accounts/${id}`), label: name }} />
      {form}
    </>
  ),
});
