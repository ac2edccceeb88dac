import type { Lang } from '../../platform/pages/model.ts';

interface UsersTexts {
  title: string;
  lead: string;
  name: string;
  email: string;
  role: string;
  state: string;
  invited: string;
  active: string;
  suspended: string;
  factor: string;
  noFactor: string;
  none: string;
  change: string;
  changeTitle: (name: string) => string;
  remove: string;
  removeLead: string;
  invite: string;
  inviteLead: string;
  send: string;
  sent: string;
  back: string;
  nameFault: string;
  emailFault: string;
  roleFault: string;
  taken: string;
  lapsed: string;
  resend: string;
  resendLead: (until: string) => string;
  resendLapsed: string;
  tooMany: string;
  lastOwner: string;
  onlyOwners: string;
}

export const usersTexts: Readonly<Record<Lang, UsersTexts>> = {
  es: {
    title: 'Usuarios',
    lead: 'Quiénes trabajan para esta cuenta, y qué pueden hacer.',
    name: 'Nombre',
    email: 'Correo electrónico',
    role: 'Rol',
    state: 'Estado',
    invited: 'Invitación enviada',
    active: 'Activo',
    suspended: 'Suspendido',
    factor: 'con segundo factor',
    noFactor: 'sin segundo factor',
    none: 'Todavía no hay usuarios.',
    change: 'Cambiar',
    changeTitle: (name) => `Cambiar a ${name}`,
    remove: 'Quitar de la cuenta',
    removeLead: 'Deja de ver la cuenta en el momento.',
    invite: 'Invitar a alguien',
    inviteLead: 'Recibe un enlace por correo, que sirve por 7 días, una sola vez.',
    lapsed: 'Invitación vencida',
    resend: 'Mandar otra invitación',
    resendLead: (until) => `Todavía no la aceptó. El último enlace sirve hasta el ${until}.`,
    resendLapsed: 'No la aceptó a tiempo. Podés mandarle otro enlace.',
    tooMany: 'Ya salieron demasiadas invitaciones hoy. Probá mañana.',
    send: 'Mandar la invitación',
    sent: 'La invitación va por correo.',
    back: 'Volver a Usuarios',
    nameFault: 'Escribí un nombre de 1 a 100 caracteres.',
    emailFault: 'Escribí un correo, como ana@ejemplo.com.',
    roleFault: 'Elegí un rol.',
    taken: 'Ya trabaja para esta cuenta.',
    lastOwner: 'Es el único titular de la cuenta: nombrá a otro antes.',
    onlyOwners: 'Solo un titular puede nombrar, cambiar o quitar titulares.',
  },
  en: {
    title: 'Users',
    lead: 'Who works for this account, and what each may do.',
    name: 'Name',
    email: 'E-mail address',
    role: 'Role',
    state: 'State',
    invited: 'Invitation sent',
    active: 'Active',
    suspended: 'Suspended',
    factor: 'with a second factor',
    noFactor: 'without a second factor',
    none: 'There are no users yet.',
    change: 'Change',
    changeTitle: (name) => `Change ${name}`,
    remove: 'Remove from the account',
    removeLead: 'The account is gone for this person at once.',
    invite: 'Invite somebody',
    inviteLead: 'A link comes by mail. It works for 7 days, once.',
    lapsed: 'Invitation expired',
    resend: 'Send another invitation',
    resendLead: (until) => `Nobody accepted it yet. The last link works until ${until}.`,
    resendLapsed: 'It was not accepted in time. You can send another link.',
    tooMany: 'Too many invitations went out today. Try again tomorrow.',
    send: 'Send the invitation',
    sent: 'The invitation goes by mail.',
    back: 'Back to users',
    nameFault: 'Enter a name of 1 to 100 characters.',
    emailFault: 'Enter an address, such as ana@example.com.',
    roleFault: 'Choose a role.',
    taken: 'This person works for the account already.',
    lastOwner: 'This is the only owner of the account: name another one first.',
    onlyOwners: 'Only an owner makes, changes or removes owners.',
  },
};
