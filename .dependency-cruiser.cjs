// The floors of docs/explanation/architecture.md: a folder imports only from floors below its own. The wing of
// money has floors of its own between those of requests and mandates.
const floors = [
  ['kernel'],
  ['language'],
  ['platform'],
  ['seals'],
  ['events'],
  ['accounts', 'calendar', 'requests', 'secrets'],
  ['users'],
  ['money/alarms', 'money/ledger', 'money/proposals'],
  ['money/channels', 'money/withholdings'],
  ['money/fees', 'money/plans'],
  ['money/collections'],
  ['money/corrections', 'money/disputes', 'money/payouts', 'money/reversals', 'money/suspense'],
  ['money/refunds'],
  ['money/unwanted'],
  ['money/charges'],
  ['money/settlements'],
  ['mandates'],
  ['payment-requests', 'debit-requests', 'qr', 'reports', 'webhooks'],
  ['declared'],
  ['imports', 'rails'],
  ['explain'],
  ['connectors'],
  ['sandbox'],
  ['checkout', 'portal', 'signing'],
  ['audit', 'payers'],
];
const folder = (names) => `^src/(${names.join('|')})/`;
/** The doors of a noun: its verbs, its HTTP half, and its declarations, which load neither. */
// Others have a door of their own: the conformance kit, which runs without a service, and pure
// tables, which a declaration or the configuration reads without the verbs of their noun.
const others = [
  'accounts/(account|holder/operations)',
  'accounts/(keys|mails)/operations',
  'connectors/(kit/index|settings)',
  'money/(channels/(codes|bins/operations)|ledger/chart)',
  'payment-requests/mails/operations',
  'requests/(kinds|states)',
  'seals/(stamps|anchors/address)',
];
const door = `^src/((money/)?[^/]+/(index|http|operations)|${others.join('|')})\\.[a-z]+$`;
const noun = '^src/(?!kernel/|language/|platform/|composition/|config/)(money/[^/]+|[^/]+)/';

const climbing = floors.flatMap((names, floor) =>
  names.map((name) => ({
    name: `floor-${floor}-${name.replace('/', '-')}`,
    comment: `${name} may import only itself and the floors below ${floor}`,
    severity: 'error',
    from: { path: `^src/${name}/` },
    to: {
      path: '^src/',
      pathNot: [`^src/${name}/`, ...(floor > 0 ? [folder(floors.slice(0, floor).flat())] : [])],
    },
  })),
);

module.exports = {
  forbidden: [
    ...climbing,
    {
      name: 'every-folder-has-a-floor',
      severity: 'error',
      from: {
        path: '^src/[^/]+/',
        pathNot: [folder(floors.flat()), '^src/(cli|composition|config)/'],
      },
      to: {},
    },
    {
      name: 'routes-know-no-store',
      comment: 'HTTP in and out: no SQL in routes',
      severity: 'error',
      from: { path: '^src/.*routes[^/]*$' },
      to: { path: '/store[^/]*$' },
    },
    {
      name: 'nouns-by-their-index',
      comment: 'another noun, or room of the wing of money, is used through what its index exports',
      severity: 'error',
      from: { path: noun },
      to: { path: noun, pathNot: ['^src/$1/', door] },
    },
    {
      name: 'composition-knows-nouns-by-their-index',
      severity: 'error',
      from: { path: '^src/composition/' },
      to: {
        path: [noun, '^src/(main|server|seed)'],
        pathNot: door,
      },
    },
    {
      name: 'embedded-database-by-its-interface',
      comment: 'openEmbedded and what it answers is all that others know of the embedded database',
      severity: 'error',
      from: { pathNot: '^src/platform/(embedded|backup)/' },
      to: { path: '^src/platform/embedded/', pathNot: '/embedded[.]ts$' },
    },
    {
      name: 'connectors-know-the-protocol-alone',
      comment: 'a connector is a package of its own: the protocol, and nothing of the service',
      severity: 'error',
      from: { path: '^connectors/([^/]+)/' },
      to: {
        path: ['^src/', '^connectors/'],
        pathNot: ['^connectors/$1/', '^connectors/protocol/'],
      },
    },
    {
      name: 'emulators-stand-alone',
      comment: 'an emulator that shared code with its connector would share its misreadings',
      severity: 'error',
      from: { path: '^connectors/([^/]+)/emulator/' },
      to: {
        path: '^connectors/',
        pathNot: ['^connectors/$1/emulator/', '^connectors/protocol/'],
      },
    },
    {
      name: 'connectors-by-their-protocol',
      comment: 'the service speaks the protocol; commands alone start what we ship',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/cli/' },
      to: { path: '^connectors/', pathNot: '^connectors/protocol/' },
    },
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    parser: 'swc',
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'types'],
      extensions: ['.ts', '.tsx', '.js'],
    },
  },
};
