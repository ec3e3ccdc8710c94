// Only checked for its types: what the installed package declares is what a program can use.
import { AcretaError, Client, type JobView, type SearchPage } from "acreta-client";

export async function use(token: string): Promise<JobView["state"]> {
  const client: Client = new Client(token).withRequestId("from-types");
  const found: SearchPage = await client.search({ q: "queue", limit: 3 });
  for (const hit of found.hits) hit.title.trim();
  for await (const event of client.events({}, "0-0")) {
    if (event.kind === "job") break;
  }
  try {
    const { job_id } = await client.sync({ dry_run: true });
    return (await client.getJob(job_id)).state;
  } catch (error) {
    if (error instanceof AcretaError && error.problem.code === "busy") return "cancelled";
    throw error;
  }
}
