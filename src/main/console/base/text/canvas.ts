/** Texts of the drawing of a flow, in the editor and in runs. */
export const canvas = {
  'canvas.smaller': 'Smaller',
  'canvas.larger': 'Larger',
  'canvas.actual': 'Actual size',
  'canvas.fit': 'Show everything',
  'canvas.eachItem': 'For each item',
  'canvas.onSuccess': 'On success',
  'canvas.onFailure': 'On failure',
  'canvas.skipped': 'skipped',
  'canvas.kind.code': 'Code',
  'canvas.kind.loop': 'Loop on items',
  'canvas.kind.router': 'Router',
  'canvas.kind.empty': 'What starts this flow?',
} as const;
