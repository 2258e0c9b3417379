"""forum: solvers post answers, an evaluator looks for errors, a scorer marks the answers."""

from games.native.forum.game import FirstIsRightForumGame, ForumGame, PublishedForumGame

__all__ = ["FirstIsRightForumGame", "ForumGame", "PublishedForumGame"]
