export const canvas = {
  'canvas.smaller': 'Zoom out',
  'canvas.larger': 'Zoom in',
  'canvas.actual': 'Actual size',
  'canvas.fit': 'Zoom to fit',
  'canvas.eachItem': 'For each item',
  'canvas.onSuccess': 'On success',
  'canvas.onFailure': 'On failure',
  'canvas.skipped': 'skipped',
  'canvas.kind.code': 'Code',
  'canvas.kind.loop': 'Loop on items',
  'canvas.kind.router': 'Router',
  'canvas.kind.empty': 'What starts this flow?',
} as const;
