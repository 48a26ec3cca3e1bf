import { Link } from "@tanstack/react-router";
import { useProject } from "../api/project.js";

/** The call that brought something about: a link where the role shows requests. */
export function RequestLink({ id: request_id }: { id: string }) {
  const { id, may } = useProject();
  const words = <code>{request_id}</code>;
  return may("requests.read") ? <Link to={`/p/${id}/requests/${request_id}`}>{words}</Link> : words;
}
