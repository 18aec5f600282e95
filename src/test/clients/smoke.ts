// Uses a running server through the client that was generated for TypeScript: signs up, makes a flow, runs it, uploads a file.
// Arguments: the server's URL, the address and password of a new account, the file of a flow, and a picture.
import { deepStrictEqual, ok, rejects } from 'node:assert';
import { readFileSync } from 'node:fs';
import { Configuration, FlowsApi, PeopleApi, ProjectsApi, ResponseError, RunsApi, SignInApi, WebhooksApi } from './client/index.js';

const [url, email, password, flowFile, picture] = process.argv.slice(2);
const basePath = `${url}/api`;
const signUp = { email, password, firstName: 'Ada', lastName: 'Miller', trackEvents: false, newsLetter: false };
const session = await new SignInApi(new Configuration({ basePath })).signUp({ signUp });
const projectId = session.projectId!;
const signedIn = new Configuration({ basePath, accessToken: session.token });

const project = await new ProjectsApi(signedIn).createProject({ newProject: { displayName: 'TypeScript' } });
deepStrictEqual(project.displayName, 'TypeScript');
const flows = new FlowsApi(signedIn);
const flow = await flows.createFlow({ newFlow: { displayName: 'Orders', projectId } });
const request = JSON.parse(readFileSync(flowFile, 'utf8'));
await flows.operateFlow({ id: flow.id, flowOperation: { type: 'IMPORT_FLOW', request } });
const published = await flows.operateFlow({ id: flow.id, flowOperation: { type: 'LOCK_AND_PUBLISH', request: {} } });
deepStrictEqual(published.status, 'ENABLED');

const order = { customer: 'Ada', quantity: 3, price: 19.5 };
const answer = await new WebhooksApi(signedIn).receiveEventAndWaitRaw({ flowId: flow.id, body: order });
deepStrictEqual(await answer.raw.json(), { customer: 'Ada', total: 58.5, decision: 'accepted' });

const runs = new RunsApi(signedIn);
const page = await runs.listRuns({ projectId });
deepStrictEqual(page.data.length, 1);
const run = await runs.getRun({ id: page.data[0].id });
deepStrictEqual(run.status, 'SUCCEEDED');
deepStrictEqual(Object.keys(run.steps ?? {}).length, 4);
const person = await new PeopleApi(signedIn).updateOwnUser({ profilePicture: new Blob([new Uint8Array(readFileSync(picture))], { type: 'image/png' }) });
ok(person.imageUrl);
await rejects(
  new ProjectsApi(signedIn).getProject({ id: '0'.repeat(21) }),
  (refused: unknown) => refused instanceof ResponseError && refused.response.status === 404,
);
