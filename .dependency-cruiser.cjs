// The floors of docs/architecture.md: a folder imports only from floors below its own.
const floors = [
  ['kernel'],
  ['platform'],
  ['accounts', 'calendar', 'requests', 'ledger', 'events'],
  ['collections'],
  ['adhesions'],
  ['payment-requests', 'debit-requests', 'qr', 'reports', 'helpers', 'webhooks'],
  ['checkout', 'signing', 'portal', 'sandbox', 'rails'],
];
const folder = (names) => `^src/(${names.join('|')})/`;

const climbing = floors.flatMap((names, floor) =>
  names.map((name) => ({
    name: `floor-${floor}-${name}`,
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
      from: { path: '^src/[^/]+/', pathNot: [folder(floors.flat()), '^src/cli/'] },
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
      comment: 'higher floors use a noun through what its index exports',
      severity: 'error',
      from: { path: '^src/(?!kernel/|platform/)([^/]+)/' },
      to: {
        path: '^src/(?!kernel/|platform/)([^/]+)/',
        pathNot: ['^src/$1/', '^src/[^/]+/index\\.[a-z]+$'],
      },
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
