import { type Choice, SelectField, TextField } from '../../platform/pages/components/field.tsx';
import { type FieldFault, faultIn } from '../../platform/pages/components/form.tsx';
import type { Lang } from '../../platform/pages/model.ts';

interface Draft {
  name: string;
  email: string;
  role: string;
  faults: readonly FieldFault[];
}

type Props = {
  lang: Lang;
  labels: Readonly<Record<'name' | 'email' | 'role', string>>;
  draft: Draft;
  roles: readonly Choice[];
};

/** Renders the fields of an invitation: person and role. */
export function InviteFields({ lang, labels, draft, roles }: Props) {
  const faultOf = faultIn(draft.faults);
  const field = (name: 'name' | 'email' | 'role') => ({
    lang,
    name,
    label: labels[name],
    value: draft[name],
    fault: faultOf(name),
  });
  return (
    <>
      <TextField {...field('name')} autocomplete="off" />
      <TextField {...field('email')} type="email" autocomplete="off" />
      <SelectField {...field('role')} choices={roles} />
    </>
  );
}
