'use strict';

const { actionContext, triggerContext, optionsContext, authFor } = require('./contexts');
const { withFiles } = require('./files');
const { actionOf, authOf, generationOf, triggerOf } = require('./pieces');

/** What Java may ask of a piece (contract pieces 3): name of the operation -> (piece, frame, call) => value. */
const operations = {
  describe: (piece) => describe(piece),
  action: (piece, frame, call) => {
    const action = actionOf(piece, frame.action);
    const context = actionContext(filled(frame, action.props), generationOf(piece), call);
    return frame.test && typeof action.test === 'function' ? action.test(context) : action.run(context);
  },
  enable: (piece, frame, call) => hook(piece, frame, call, 'onEnable'),
  disable: (piece, frame, call) => hook(piece, frame, call, 'onDisable'),
  start: (piece, frame, call) => hook(piece, frame, call, 'onStart'),
  renew: (piece, frame, call) => hook(piece, frame, call, 'onRenew'),
  handshake: async (piece, frame, call) => (await hook(piece, frame, call, 'onHandshake')) ?? { status: 200 },
  run: async (piece, frame, call) => listOf(await hook(piece, frame, call, 'run'), frame),
  test: async (piece, frame, call) => listOf((await hook(piece, frame, call, 'test')) ?? sampleOf(piece, frame), frame),
  options: (piece, frame, call) => {
    const property = propertyOf(piece, frame);
    const generation = generationOf(piece);
    const input = { ...frame.input };
    if (frame.auth !== undefined) {
      input.auth = authFor(generation, frame.auth);
    }
    const offer = [property.options, property.props].find((member) => typeof member === 'function');
    return offer ? offer.call(property, input, optionsContext(frame, generation, call)) : property.options;
  },
  validate: async (piece, frame) => {
    const auth = authOf(piece, frame.auth);
    if (!auth) {
      return { valid: false, error: 'The connection is not of a type that this piece takes' };
    }
    return auth.validate ? auth.validate({ auth: bareAuth(frame.auth), server: serverOf(frame) }) : { valid: true };
  },
  identifier: (piece, frame) =>
    authOf(piece, frame.auth)?.getConnectionIdentifier?.({ auth: bareAuth(frame.auth), server: serverOf(frame) }),
  refresh: (piece, frame) =>
    authOf(piece, frame.auth)?.refresh?.generate?.({ auth: bareAuth(frame.auth), server: serverOf(frame) }),
  parse: (piece, frame) =>
    piece.events?.parseAndReply({ payload: frame.payload, server: { publicUrl: frame.runtime.publicUrl } }) ?? {},
  verify: (piece, frame) =>
    piece.events?.verify({
      webhookSecret: frame.webhookSecret,
      payload: frame.payload,
      appWebhookUrl: frame.appWebhookUrl,
    }) ?? false,
};

/** metadata() as JSON: what is missing from it in older generations is added, what says nothing is left out. */
function describe(piece) {
  const metadata = { ...piece.metadata() };
  metadata.actions ??= piece._actions ?? {};
  metadata.triggers ??= piece._triggers ?? {};
  for (const field of ['authors', 'categories', 'auth', 'minimumSupportedRelease', 'maximumSupportedRelease']) {
    metadata[field] ??= piece[field];
  }
  metadata.contextInfo ??= typeof piece.getContextInfo === 'function' ? piece.getContextInfo() : undefined;
  const copy = JSON.parse(JSON.stringify(metadata));
  for (const part of [...Object.values(copy.actions), ...Object.values(copy.triggers)]) {
    for (const property of Object.values(part.props ?? {})) {
      // Drop-downs repeat the whole authentication of their piece; a fifth of the largest descriptions is that.
      if (['DROPDOWN', 'MULTI_SELECT_DROPDOWN', 'DYNAMIC'].includes(property?.type)) {
        delete property.auth;
      }
    }
  }
  for (const [name, trigger] of Object.entries(copy.triggers)) {
    trigger.testStrategy ??= defaultTestStrategy(piece.getTrigger(name), trigger);
    trigger.preparesRuns = preparesRuns(piece.getTrigger(name));
  }
  return { ...copy, hasEvents: Boolean(piece.events) };
}

function defaultTestStrategy(trigger, { type, sampleData }) {
  const tests = typeof trigger?.test === 'function';
  switch (type) {
    case 'WEBHOOK':
      return tests ? 'TEST_FUNCTION' : 'SIMULATION';
    case 'APP_WEBHOOK':
      return tests || sampleData ? 'TEST_FUNCTION' : 'SIMULATION';
    default:
      return 'TEST_FUNCTION';
  }
}

/** What the framework puts where a trigger does nothing at the start of a run, compiled in either way, without blanks. */
const IDLE = new RegExp(
  '^(async)?(function)?(onStart)?\\(\\w*\\)(=>)?\\{?(\\(0,\\w+\\.__awaiter\\)|[\\w.]*__awaiter)?' +
    '(\\((void0|this),void0,void0,function\\*\\(\\)\\{)?(return)?(Promise\\.resolve\\(\\))?;?(\\}\\))?;?\\}?$',
);

/** Whether a run must wait for the trigger; most have a hook that does nothing, and each call costs. */
function preparesRuns(trigger) {
  return typeof trigger?.onStart === 'function' && !IDLE.test(String(trigger.onStart).replace(/\s+/g, ''));
}

function hook(piece, frame, call, name) {
  const trigger = triggerOf(piece, frame.trigger);
  const context = triggerContext(filled(frame, trigger.props), generationOf(piece), call);
  return typeof trigger[name] === 'function' ? trigger[name](context) : undefined;
}

function filled(frame, props) {
  const streaming = Object.keys(props ?? {}).filter((name) => props[name]?.streaming);
  return { ...frame, props: withFiles(frame.props ?? {}, streaming) };
}

/** Older frameworks put a test that gives nothing where a trigger has none; then its sample is what there is to show. */
function sampleOf(piece, frame) {
  const { sampleData } = triggerOf(piece, frame.trigger);
  return sampleData === undefined || sampleData === null ? undefined : [sampleData];
}

function listOf(items, frame) {
  if (!Array.isArray(items)) {
    throw Object.assign(new Error(`expected trigger ${frame.trigger} to return a list`), { class: 'ENGINE' });
  }
  return items;
}

function propertyOf(piece, frame) {
  const part = piece.getAction(frame.step) ?? piece.getTrigger(frame.step);
  const property = part?.props?.[frame.property];
  if (!property) {
    throw Object.assign(new Error(`${frame.step} has no property ${frame.property}`), { name: 'PropertyNotFoundError' });
  }
  return property;
}

/** Functions of an authentication get the bare value in every generation (contract pieces 5.1). */
function bareAuth(value) {
  if (value?.type === 'OIDC') {
    return value.props;
  }
  return authFor(0, value);
}

function serverOf({ runtime }) {
  return { apiUrl: runtime.apiUrl, publicUrl: runtime.publicUrl, token: runtime.token };
}

module.exports = { operations };
