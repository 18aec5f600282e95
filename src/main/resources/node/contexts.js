'use strict';

const { filesOf } = require('./files');

/** A connection's value in the shape that a piece of this generation knows (contract pieces 5.1). */
function authFor(generation, value) {
  if (generation > 0 || value === null || typeof value !== 'object') {
    return value ?? undefined;
  }
  switch (value.type) {
    case 'SECRET_TEXT':
      return value.secret_text;
    case 'CUSTOM_AUTH':
      return value.props;
    default:
      return value;
  }
}

/** What every kind of call is given (contract pieces 4.1). */
function baseContext(frame, generation, ask) {
  const { runtime, stepName } = frame;
  const server = { apiUrl: runtime.apiUrl, publicUrl: runtime.publicUrl, token: runtime.token };
  return {
    connections: { get: async (externalId) => authFor(generation, await ask('connections.get', { externalId })) ?? null },
    flows: {
      list: (params) => ask('flows.list', params ?? {}),
      current: { id: runtime.flowId, version: { id: runtime.flowVersionId } },
    },
    project: {
      id: runtime.projectId,
      externalId: async () => (await ask('project.externalId')) ?? undefined,
    },
    step: { name: stepName },
    server,
    ...(generation === 0 ? { serverUrl: runtime.publicUrl } : {}),
  };
}

function storeOf(ask) {
  return {
    get: (key, scope = 'FLOW') => ask('store.get', { key, scope }),
    put: async (key, value, scope = 'FLOW') => {
      await ask('store.put', { key, value: value ?? null, scope });
      return value;
    },
    delete: async (key, scope = 'FLOW') => {
      await ask('store.delete', { key, scope });
    },
  };
}

function withInput(frame, generation) {
  const auth = authFor(generation, frame.auth);
  const propsValue = { ...frame.props };
  if (auth !== undefined) {
    propsValue.auth = auth;
  }
  return { auth, propsValue };
}

function actionContext(frame, generation, { ask, hooks, pending }) {
  return {
    ...baseContext(frame, generation, ask),
    ...withInput(frame, generation),
    store: storeOf(ask),
    files: filesOf(ask),
    executionType: frame.executionType,
    ...(frame.executionType === 'RESUME' ? { resumePayload: frame.resumePayload } : {}),
    tags: {
      add: async ({ name }) => {
        hooks.tags.push(String(name));
      },
    },
    output: { update: async ({ data }) => void (await ask('output.update', { data: data ?? null })) },
    run: runOf(frame, generation, ask, hooks, pending),
    ...(generation < 2 ? { generateResumeUrl: (params) => legacyResumeUrl(frame, params) } : {}),
  };
}

function runOf(frame, generation, ask, hooks, pending) {
  const createWaitpoint = async (wish) => {
    const waitpoint = await ask('run.createWaitpoint', wish);
    if (wish.responseToSend) {
      hooks.responseToSend = wish.responseToSend;
    }
    return {
      ...waitpoint,
      buildResumeUrl: ({ queryParams, sync } = {}) => withQuery(waitpoint.resumeUrl + (sync ? '/sync' : ''), queryParams),
    };
  };
  const waitForWaitpoint = (id) => {
    hooks.type = 'paused';
    hooks.waitpointId = id;
  };
  const run = {
    id: frame.runtime.flowRunId,
    stop: (wish) => {
      hooks.type = 'stopped';
      hooks.response = wish?.response ?? {};
    },
    respond: (wish) => {
      hooks.type = 'respond';
      hooks.response = wish?.response ?? {};
    },
    createWaitpoint: (wish) => createWaitpoint({ ...wish, resumeDateTime: dateText(wish.resumeDateTime) }),
    waitForWaitpoint,
  };
  if (generation < 2) {
    // Pieces of these generations do not await a pause; the call is over when it is.
    run.pause = ({ pauseMetadata }) => {
      hooks.type = 'paused';
      const { type, response } = pauseMetadata;
      const wish = { type, version: 'V0', resumeDateTime: dateText(pauseMetadata.resumeDateTime), responseToSend: response };
      const created = createWaitpoint(wish).then(({ id }) => waitForWaitpoint(id));
      pending.push(created);
      return created;
    };
  }
  return run;
}

function dateText(date) {
  return date instanceof Date ? date.toISOString() : date;
}

/**
 * Address under which older pieces are resumed (flows-and-engine 12.4). The server issues it for the step; a step that is
 * tested alone gets one that resumes nothing.
 */
function legacyResumeUrl({ resumeUrl, runtime }, { queryParams, sync } = {}) {
  const url = resumeUrl ?? `${runtime.publicUrl}v1/flow-runs/${runtime.flowRunId}/requests/none`;
  return withQuery(url + (sync ? '/sync' : ''), queryParams);
}

function withQuery(url, queryParams) {
  const query = new URLSearchParams(queryParams ?? {}).toString();
  return query === '' ? url : `${url}?${query}`;
}

function triggerContext(frame, generation, { ask, hooks }) {
  return {
    ...baseContext(frame, generation, ask),
    ...withInput(frame, generation),
    store: storeOf(ask),
    files: filesOf(ask),
    payload: frame.payload ?? {},
    webhookUrl: frame.webhookUrl,
    isRepublish: frame.isRepublish ?? false,
    run: { id: frame.runtime.flowRunId },
    app: {
      createListeners: ({ events, identifierValue, identifierKey }) => {
        hooks.listeners.push({ events, identifierValue, identifierKey });
      },
    },
    setSchedule: (wish) => {
      hooks.schedule = wish.intervalMs
        ? { intervalMs: wish.intervalMs }
        : { cronExpression: wish.cronExpression, timezone: wish.timezone ?? 'UTC' };
    },
  };
}

function optionsContext(frame, generation, { ask }) {
  return { ...baseContext(frame, generation, ask), searchValue: frame.searchValue ?? undefined };
}

module.exports = { actionContext, triggerContext, optionsContext, authFor };
